package io.warmpath.console.export;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.OptBoolean;
import java.util.regex.Pattern;

/**
 * A replica and where a router has it. What its format does not need is null or as given.
 *
 * @param name its name in the topics
 * @param host IP address or name (Envoy and nginx; Envoy takes only addresses in EDS)
 * @param port its port, 0 for none (Envoy, nginx; of the service in a route)
 * @param backend HAProxy's backend
 * @param server HAProxy's server in it; the replica's name by default
 * @param service Kubernetes service in a route's {@code backendRefs}; the replica's name by default
 */
public record MappedReplica(
    String name, String host, int port, String backend, String server, String service) {

  /** Names of HAProxy. */
  static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.:-]{0,252}");

  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9:][A-Za-z0-9_.:-]{0,252}");
  private static final Pattern IPV4 =
      Pattern.compile("((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(?!$)|$)){4}");
  private static final int MAX_PORT = 65_535;

  /** Checks what a format needs; so that a wrong entry is named with its line in the file. */
  @JsonCreator
  static MappedReplica read(
      @JacksonInject(useInput = OptBoolean.FALSE) ExportFormat format,
      @JsonProperty("name") String name,
      @JsonProperty("host") String host,
      @JsonProperty("port") Integer port,
      @JsonProperty("backend") String backend,
      @JsonProperty("server") String server,
      @JsonProperty("service") String service) {
    require(name != null && !name.isBlank(), "name is missing");
    boolean addressed = format == ExportFormat.ENVOY_EDS || format == ExportFormat.NGINX;
    require(!addressed || host != null, "host is missing; " + format + " needs it");
    require(!addressed || port != null, "port is missing; " + format + " needs it");
    require(host == null || HOST.matcher(host).matches(), "host is no address: " + host);
    require(
        format != ExportFormat.ENVOY_EDS || isAddress(host),
        "host must be an IP address for " + format + " (Envoy looks up no names there): " + host);
    require(
        port == null || (port >= 1 && port <= MAX_PORT), "port is not from 1 to 65535: " + port);
    String itsServer = server == null ? name : server;
    String itsService = service == null ? name : service;
    if (format == ExportFormat.HAPROXY) {
      require(backend == null || NAME.matcher(backend).matches(), "backend is no name: " + backend);
      require(NAME.matcher(itsServer).matches(), "server is no name of HAProxy: " + itsServer);
    }
    return new MappedReplica(name, host, port == null ? 0 : port, backend, itsServer, itsService);
  }

  private static boolean isAddress(String host) {
    return host.contains(":") || IPV4.matcher(host).matches();
  }

  private static void require(boolean met, String message) {
    if (!met) {
      throw new IllegalArgumentException(message);
    }
  }
}
