package io.warmpath.lab.compose;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.lab.cli.WarmpathCommand;
import io.warmpath.lab.cluster.ClassPath;
import io.warmpath.lab.cluster.JavaProcess;
import io.warmpath.lab.compose.ComposeFile.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Starts what our own image starts: a warmpath command. */
final class WarmpathImage {

  /** As in the image's ENTRYPOINT. */
  private static final int HEAP_PERCENT = 70;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final OnOneHost here;
  private final Wiring wiring;
  private final double timeScale;

  /**
   * @param timeScale how many times faster than the file says replicas run
   */
  WarmpathImage(OnOneHost here, Wiring wiring, double timeScale) {
    this.here = here;
    this.wiring = wiring;
    this.timeScale = timeScale;
  }

  /**
   * Starts a service.
   *
   * @param balancerFields fields of a balancer's file that are other than there
   */
  JavaProcess start(Service service, Map<String, Object> balancerFields, List<String> options)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(WarmpathCommand.class.getName()));
    List<String> arguments = service.command();
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      command.add(
          switch (i == 0 ? "" : arguments.get(i - 1)) {
            case "--host" -> OnOneHost.HOST;
            case "--port" -> "" + here.port(service.name(), Integer.parseInt(argument));
            case "--config" -> balancerFile(service, balancerFields).toString();
            default -> here.rewrite(service, argument);
          });
    }
    if (arguments.get(0).equals("replica")) {
      command.addAll(List.of("--time-scale", "" + timeScale));
    }
    List<String> jvm = new ArrayList<>(options);
    jvm.add("-Xmx" + service.memoryMiB() * HEAP_PERCENT / 100 + "m");
    jvm.add("-XX:+ExitOnOutOfMemoryError");
    return JavaProcess.start(
        service.name(), here.folder(service), jvm, service.environment(), ClassPath.all(), command);
  }

  private Path balancerFile(Service service, Map<String, Object> others) throws IOException {
    Path file = wiring.configFile(service);
    Map<String, Object> fields = new LinkedHashMap<>(Yaml.read(file));
    for (String listener : List.of("listen", "admin")) {
      Map<String, Object> where = new LinkedHashMap<>(Yaml.map(fields.get(listener)));
      where.put("host", OnOneHost.HOST);
      where.put("port", here.port(service.name(), (Integer) where.get("port")));
      fields.put(listener, where);
    }
    fields.put("time_scale", timeScale);
    fields.putAll(others);
    Files.copy(
        file.resolveSibling("admin.token"),
        here.folder(service).resolve("admin.token"),
        StandardCopyOption.REPLACE_EXISTING);
    // JSON is YAML.
    return Files.writeString(
        here.folder(service).resolve("balancer.yaml"),
        here.rewrite(service, JSON.writeValueAsString(fields)));
  }
}
