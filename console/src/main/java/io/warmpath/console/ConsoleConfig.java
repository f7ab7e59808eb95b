package io.warmpath.console;

import io.warmpath.console.state.StateLimits;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * How a console runs.
 *
 * @param kafka Kafka client properties, {@code bootstrap.servers} among them
 * @param host address to listen on
 * @param port port to listen on; 0 takes a free one
 * @param maxStreams pages that may be open at once
 * @param limits how much is kept, and for how long
 */
public record ConsoleConfig(
    Map<String, Object> kafka, String host, int port, int maxStreams, StateLimits limits) {

  public static final int DEFAULT_PORT = 8090;
  public static final String DEFAULT_HOST = "127.0.0.1";

  private static final int DEFAULT_MAX_STREAMS = 64;
  private static final int MAX_PORT = 65_535;

  public ConsoleConfig {
    kafka = Map.copyOf(Objects.requireNonNull(kafka, "kafka"));
    require(!Objects.requireNonNull(host, "host").isBlank(), "host is empty");
    require(port >= 0 && port <= MAX_PORT, "port is not between 0 and 65535: " + port);
    require(maxStreams > 0, "maxStreams is not positive: " + maxStreams);
    Objects.requireNonNull(limits, "limits");
  }

  /** A console of the cluster at {@code bootstrapServers}. */
  public static ConsoleConfig of(String bootstrapServers, String host, int port) {
    require(bootstrapServers != null && !bootstrapServers.isBlank(), "bootstrapServers is missing");
    return new ConsoleConfig(
        Map.of("bootstrap.servers", bootstrapServers),
        host,
        port,
        DEFAULT_MAX_STREAMS,
        StateLimits.DEFAULTS);
  }

  /** The same with further Kafka client properties, such as those of a secured cluster. */
  public ConsoleConfig withKafka(Map<String, ?> properties) {
    Map<String, Object> merged = new HashMap<>(kafka);
    merged.putAll(properties);
    return new ConsoleConfig(merged, host, port, maxStreams, limits);
  }

  private static void require(boolean met, String message) {
    if (!met) {
      throw new IllegalArgumentException(message);
    }
  }
}
