package io.warmpath.lab.compose;

import io.warmpath.lab.compose.ComposeFile.Mount;
import io.warmpath.lab.compose.ComposeFile.Service;
import io.warmpath.lab.embedded.KafkaNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What containers say to each other, said by processes on one host: every name is loopback, every
 * port in a container is one of this host's, every path in a container lies in a folder.
 */
final class OnOneHost {

  static final String HOST = KafkaNode.HOST;

  private static final Pattern ADDRESS = Pattern.compile("([a-z][a-z0-9-]*):(\\d{2,5})\\b");

  private final Set<String> names;
  private final Path folder;
  private final Wiring wiring;
  private final Map<String, Integer> ports = new TreeMap<>();

  /**
   * @param folder where volumes and rewritten files are
   */
  OnOneHost(ComposeFile file, Wiring wiring, Path folder) {
    this.names = file.services().keySet();
    this.wiring = wiring;
    this.folder = folder;
  }

  /** This host's port for one of a container; the same each time. */
  synchronized int port(String service, int containerPort) {
    return ports.computeIfAbsent(service + ":" + containerPort, key -> KafkaNode.freePort());
  }

  /** A folder of a service's own. */
  Path folder(Service service) {
    return folder.resolve(service.name());
  }

  /** What a service is told, as it is on this host. */
  String rewrite(Service service, String text) {
    String here = text;
    for (Mount mount : service.mounts()) {
      Path target =
          mount.isBind()
              ? wiring.hostPath(service, mount.target())
              : folder.resolve("volumes").resolve(mount.source());
      here = here.replaceAll(Pattern.quote(mount.target()) + "(?=/|$|\\s)", target.toString());
    }
    return ADDRESS
        .matcher(here)
        .replaceAll(
            address -> {
              String name =
                  address.group(1).equals("localhost") ? service.name() : address.group(1);
              return Matcher.quoteReplacement(
                  names.contains(name)
                      ? HOST + ":" + port(name, Integer.parseInt(address.group(2)))
                      : address.group());
            });
  }
}
