package io.warmpath.lab.compose;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of the Compose specification that docker-compose.yml uses, read strictly: a key that is
 * not known here, or a variable without a default, is an error.
 *
 * @param services by name, variables replaced by their defaults
 * @param volumes names of the declared volumes
 */
record ComposeFile(Map<String, Service> services, Set<String> volumes) {

  private static final Set<String> TOP_KEYS = Set.of("name", "services", "volumes");
  private static final Set<String> SERVICE_KEYS =
      Set.of(
          "image",
          "build",
          "profiles",
          "entrypoint",
          "command",
          "environment",
          "restart",
          "read_only",
          "tmpfs",
          "cap_drop",
          "security_opt",
          "mem_limit",
          "shm_size",
          "deploy",
          "init",
          "volumes",
          "ports",
          "healthcheck",
          "depends_on");
  private static final Set<String> HEALTH_KEYS =
      Set.of("test", "interval", "timeout", "retries", "start_period");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z0-9_]+)(?::-([^}]*))?}");

  /**
   * A service.
   *
   * @param name its name, and host name
   * @param image image and tag
   * @param build its Dockerfile and target, or none
   * @param profiles profiles that it belongs to; started always if none
   * @param entrypoint what replaces the image's entry point; empty for nothing
   * @param command arguments of the image's entry point
   * @param environment variables
   * @param mounts volumes and bind mounts
   * @param ports published ports
   * @param healthTest the health check's command; empty where there is none
   * @param dependsOn services before this one, with the condition
   * @param gpus devices that are reserved for it
   * @param memoryMiB its limit of memory
   */
  record Service(
      String name,
      String image,
      Map<String, Object> build,
      List<String> profiles,
      List<String> entrypoint,
      List<String> command,
      Map<String, String> environment,
      List<Mount> mounts,
      List<Port> ports,
      List<String> healthTest,
      Map<String, String> dependsOn,
      List<String> gpus,
      int memoryMiB) {}

  /**
   * A mount.
   *
   * @param source a path that begins with a dot, or a volume's name
   * @param target path in the container
   * @param readOnly whether it cannot be written to
   */
  record Mount(String source, String target, boolean readOnly) {

    boolean isBind() {
      return source.startsWith(".");
    }
  }

  /**
   * A published port.
   *
   * @param address address on the host
   * @param host port on the host
   * @param container port in the container
   */
  record Port(String address, int host, int container) {}

  static ComposeFile read(Path file) throws IOException {
    Map<String, Object> root = interpolated(file);
    for (String key : root.keySet()) {
      require(TOP_KEYS.contains(key) || key.startsWith("x-"), "unknown key " + key);
    }
    Map<String, Service> services = new TreeMap<>();
    Yaml.map(root.get("services"))
        .forEach((name, node) -> services.put(name, service(name, Yaml.map(node))));
    return new ComposeFile(services, Yaml.map(root.get("volumes")).keySet());
  }

  /** The whole file, variables replaced by their defaults. */
  static Map<String, Object> interpolated(Path file) throws IOException {
    return Yaml.map(interpolate(Yaml.read(file)));
  }

  /** Services that are started without a profile. */
  Map<String, Service> always() {
    Map<String, Service> always = new TreeMap<>(services);
    always.values().removeIf(service -> !service.profiles().isEmpty());
    return always;
  }

  /** Services of a profile alone. */
  Map<String, Service> inProfile(String profile) {
    Map<String, Service> these = new TreeMap<>(services);
    these.values().removeIf(service -> !service.profiles().contains(profile));
    return these;
  }

  private static Service service(String name, Map<String, Object> node) {
    for (String key : node.keySet()) {
      require(SERVICE_KEYS.contains(key), name + " has an unknown key " + key);
    }
    Map<String, Object> health = Yaml.map(node.get("healthcheck"));
    require(HEALTH_KEYS.containsAll(health.keySet()), name + ": " + health.keySet());
    Map<String, String> environment = new LinkedHashMap<>();
    Yaml.map(node.get("environment"))
        .forEach(
            (key, value) -> {
              // YAML's true, 1 and null would reach the container as something else.
              require(value instanceof String, name + ": " + key + " is no text");
              environment.put(key, (String) value);
            });
    return new Service(
        name,
        (String) node.get("image"),
        Yaml.map(node.get("build")),
        Yaml.texts(node.get("profiles")),
        Yaml.texts(node.get("entrypoint")),
        Yaml.texts(node.get("command")),
        environment,
        Yaml.texts(node.get("volumes")).stream().map(ComposeFile::mount).toList(),
        Yaml.texts(node.get("ports")).stream().map(ComposeFile::port).toList(),
        Yaml.texts(health.get("test")),
        dependencies(node.get("depends_on")),
        gpus(name, Yaml.map(node.get("deploy"))),
        mebibytes((String) node.get("mem_limit")));
  }

  private static int mebibytes(String limit) {
    int number = Integer.parseInt(limit.substring(0, limit.length() - 1));
    return limit.endsWith("g") ? number << 10 : number;
  }

  private static List<String> gpus(String name, Map<String, Object> deploy) {
    Map<String, Object> resources = only("resources", deploy);
    Map<String, Object> reservations = only("reservations", resources);
    List<String> gpus = new ArrayList<>();
    for (Object device : Yaml.list(reservations.get("devices"))) {
      Map<String, Object> gpu = Yaml.map(device);
      require(
          gpu.keySet().equals(Set.of("driver", "device_ids", "capabilities"))
              && gpu.get("driver").equals("nvidia")
              && Yaml.texts(gpu.get("capabilities")).equals(List.of("gpu")),
          name + " reserves " + gpu);
      gpus.addAll(Yaml.texts(gpu.get("device_ids")));
    }
    return gpus;
  }

  private static Map<String, Object> only(String key, Map<String, Object> node) {
    require(node.isEmpty() || node.keySet().equals(Set.of(key)), "not only " + key + ": " + node);
    return Yaml.map(node.get(key));
  }

  private static Map<String, String> dependencies(Object node) {
    Map<String, String> dependencies = new TreeMap<>();
    if (node instanceof List) {
      Yaml.texts(node).forEach(name -> dependencies.put(name, "service_started"));
    } else {
      Yaml.map(node)
          .forEach((name, how) -> dependencies.put(name, (String) Yaml.map(how).get("condition")));
    }
    return dependencies;
  }

  private static Mount mount(String text) {
    String[] parts = text.split(":");
    require(parts.length == 2 || (parts.length == 3 && parts[2].equals("ro")), text);
    return new Mount(parts[0], parts[1], parts.length == 3);
  }

  private static Port port(String text) {
    String[] parts = text.split(":");
    require(parts.length == 3, text + " does not say on which address");
    return new Port(parts[0], Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
  }

  private static Object interpolate(Object node) {
    if (node instanceof Map<?, ?> map) {
      Map<Object, Object> copy = new LinkedHashMap<>();
      map.forEach((key, value) -> copy.put(key, interpolate(value)));
      return copy;
    }
    if (node instanceof List<?> list) {
      return list.stream().map(ComposeFile::interpolate).toList();
    }
    return node instanceof String text ? interpolate(text) : node;
  }

  private static String interpolate(String text) {
    return VARIABLE
        .matcher(text)
        .replaceAll(
            variable -> {
              require(variable.group(2) != null, variable.group() + " has no default");
              return Matcher.quoteReplacement(variable.group(2));
            });
  }

  private static void require(boolean met, String message) {
    if (!met) {
      throw new IllegalArgumentException("docker-compose.yml: " + message);
    }
  }
}
