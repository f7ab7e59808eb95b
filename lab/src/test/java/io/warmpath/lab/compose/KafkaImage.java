package io.warmpath.lab.compose;

import io.warmpath.lab.cluster.ClassPath;
import io.warmpath.lab.cluster.JavaProcess;
import io.warmpath.lab.compose.ComposeFile.Service;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import kafka.tools.StorageTool;

/**
 * Starts what Kafka's image starts: it makes its configuration of variables, and formats its
 * folder.
 */
final class KafkaImage {

  private static final String PREFIX = "KAFKA_";

  /** The image's own, where none is given. */
  private static final String CLUSTER_ID = "5L6g3nShT-eMCtK--X86sw";

  private static final int HEAP_PERCENT = 50;

  private KafkaImage() {}

  static JavaProcess start(Service service, OnOneHost here, List<String> options)
      throws IOException {
    Properties properties = new Properties();
    service
        .environment()
        .forEach(
            (name, value) -> {
              if (name.startsWith(PREFIX)) {
                // Listeners on all addresses are on this host's one.
                String where = value.replace("://:", "://" + service.name() + ":");
                properties.setProperty(
                    name.substring(PREFIX.length()).toLowerCase(Locale.ROOT).replace('_', '.'),
                    here.rewrite(service, where));
              }
            });
    Path settings = here.folder(service).resolve("server.properties");
    try (Writer out = Files.newBufferedWriter(settings)) {
      properties.store(out, null);
    }
    format(settings);
    List<String> jvm = new ArrayList<>(options);
    jvm.add("-Xmx" + service.memoryMiB() * HEAP_PERCENT / 100 + "m");
    return JavaProcess.start(
        service.name(),
        here.folder(service),
        jvm,
        Map.of(),
        ClassPath.all(),
        List.of("kafka.Kafka", settings.toString()));
  }

  private static void format(Path settings) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    String[] command = {
      "format", "--ignore-formatted", "-t", CLUSTER_ID, "-c", settings.toString()
    };
    int exitCode =
        StorageTool.execute(command, new PrintStream(output, true, StandardCharsets.UTF_8));
    if (exitCode != 0) {
      throw new IllegalStateException(
          "Kafka's folder cannot be formatted: " + output.toString(StandardCharsets.UTF_8));
    }
  }
}
