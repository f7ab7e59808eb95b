package io.warmpath.lab.compose;

import io.warmpath.balancer.BalancerConfig;
import io.warmpath.balancer.ConfigFile;
import io.warmpath.lab.cli.WarmpathCommand;
import io.warmpath.lab.compose.ComposeFile.Mount;
import io.warmpath.lab.compose.ComposeFile.Service;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** Which ports the services of a compose file listen on, and which they ask each other for. */
final class Wiring {

  private static final Pattern LISTENER = Pattern.compile("[A-Z]+://(?:[a-z-]*):(\\d+)");
  private static final Pattern ADDRESS = Pattern.compile("([a-z][a-z0-9-]*):(\\d{2,5})\\b");
  private static final Pattern ENDPOINT = Pattern.compile("tcp://\\*:(\\d+)");
  private static final int FLINK_REST = 8081;
  private static final int FLINK_METRICS = 9249;

  private final Path root;
  private final ComposeFile file;

  Wiring(Path root, ComposeFile file) {
    this.root = root;
    this.file = file;
  }

  static boolean isWarmpath(Service service) {
    return service.image().startsWith("warmpath/warmpath:");
  }

  static boolean isFlink(Service service) {
    return service.image().startsWith("warmpath/jobs:");
  }

  static boolean isVllm(Service service) {
    return service.image().startsWith("vllm/vllm-openai:");
  }

  /** What follows an option in a command that is not ours. */
  static String argument(Service service, String option) {
    return service.command().get(service.command().indexOf(option) + 1);
  }

  /** The subcommand and its options, as the command line itself understands them. */
  static ParseResult parse(Service service) {
    return new CommandLine(WarmpathCommand.class)
        .parseArgs(service.command().toArray(String[]::new))
        .subcommand();
  }

  /** An option's value, given or by default. */
  static String option(ParseResult command, String name) {
    return String.valueOf(command.commandSpec().findOption(name).<Object>getValue());
  }

  /** Ports that a service listens on inside its container. */
  Set<Integer> listensOn(Service service) {
    Set<Integer> ports = new TreeSet<>();
    if (isFlink(service)) {
      ports.add(FLINK_METRICS);
      if (service.command().get(0).equals("standalone-job")) {
        ports.add(FLINK_REST);
      }
    } else if (isWarmpath(service)) {
      ParseResult command = parse(service);
      switch (command.commandSpec().name()) {
        case "replica", "console" -> ports.add(Integer.parseInt(option(command, "--port")));
        case "balancer" -> {
          BalancerConfig config = balancerConfig(service);
          ports.add(config.port());
          ports.add(config.adminPort());
        }
        default -> {
          // Listens on nothing.
        }
      }
    } else if (service.image().startsWith("apache/kafka:")) {
      Matcher listener = LISTENER.matcher(service.environment().get("KAFKA_LISTENERS"));
      while (listener.find()) {
        ports.add(Integer.parseInt(listener.group(1)));
      }
    } else if (isVllm(service)) {
      ports.add(Integer.parseInt(argument(service, "--port")));
      Matcher endpoint = ENDPOINT.matcher(argument(service, "--kv-events-config"));
      while (endpoint.find()) {
        ports.add(Integer.parseInt(endpoint.group(1)));
      }
    } else if (service.image().startsWith("prom/prometheus:")) {
      ports.add(9090);
    } else if (service.image().startsWith("grafana/grafana:")) {
      ports.add(3000);
    }
    return ports;
  }

  /** Where a path in a service's container lies in the checkout: mounted itself or in a folder. */
  Path hostPath(Service service, String containerPath) {
    return service.mounts().stream()
        .filter(Mount::isBind)
        .filter(mount -> (containerPath + "/").startsWith(mount.target() + "/"))
        .max(Comparator.comparingInt(mount -> mount.target().length()))
        .map(
            mount ->
                root.resolve(mount.source() + containerPath.substring(mount.target().length()))
                    .normalize())
        .orElseThrow(() -> new AssertionError(service.name() + " has no " + containerPath));
  }

  /** The file that a balancer or a bridge is given. */
  Path configFile(Service service) {
    return hostPath(service, option(parse(service), "--config"));
  }

  BalancerConfig balancerConfig(Service balancer) {
    return ConfigFile.load(configFile(balancer));
  }

  List<Service> balancers() {
    return file.services().values().stream()
        .filter(service -> isWarmpath(service) && service.command().get(0).equals("balancer"))
        .toList();
  }

  /** Host and port of everything that a service is told to talk to, with who is told where. */
  Map<String, List<String>> addresses() throws IOException {
    Map<String, List<String>> addresses = new TreeMap<>();
    for (Service service : file.services().values()) {
      Stream.of(
              service.command().stream(),
              service.environment().values().stream(),
              service.healthTest().stream())
          .flatMap(texts -> texts)
          .forEach(text -> collect(addresses, service.name(), text));
    }
    for (Service balancer : balancers()) {
      collectAll(addresses, balancer.name(), Yaml.read(configFile(balancer)));
    }
    for (String config :
        List.of(
            "dashboards/prometheus.yml", "dashboards/provisioning/datasources/prometheus.yml")) {
      collectAll(addresses, config, Yaml.read(root.resolve(config)));
    }
    return addresses;
  }

  private static void collectAll(Map<String, List<String>> addresses, String where, Object node) {
    if (node instanceof Map<?, ?> map) {
      if (map.get("names") instanceof List<?> names && map.get("port") != null) {
        names.forEach(name -> collect(addresses, where, name + ":" + map.get("port")));
      }
      map.values().forEach(value -> collectAll(addresses, where, value));
    } else if (node instanceof List<?> list) {
      list.forEach(value -> collectAll(addresses, where, value));
    } else if (node instanceof String text) {
      collect(addresses, where, text);
    }
  }

  private static void collect(Map<String, List<String>> addresses, String where, String text) {
    Matcher address = ADDRESS.matcher(text);
    while (address.find()) {
      addresses.computeIfAbsent(address.group(), key -> new ArrayList<>()).add(where);
    }
  }
}
