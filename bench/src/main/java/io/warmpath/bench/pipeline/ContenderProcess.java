package io.warmpath.bench.pipeline;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measures one contender in a JVM of its own, so that none gains or loses by another's code. */
final class ContenderProcess {

  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final String TASK = "task.json";
  private static final String OUTCOME = "outcome.json";
  private static final String LOG = "output.log";
  private static final List<String> OPTIONS =
      List.of(
          "--add-opens",
          "java.base/java.util=ALL-UNNAMED",
          "--add-opens",
          "java.base/java.lang=ALL-UNNAMED",
          "-Xmx3g",
          "-XX:+UseParallelGC");
  private static final int SHOWN_LINES = 30;

  private ContenderProcess() {}

  /**
   * Runs a task.
   *
   * @param folder an empty folder for it
   * @param moreOptions more options of its JVM
   * @throws IllegalStateException if it fails, with the end of its output
   */
  static MeasuredRun measure(Task task, Path folder, List<String> moreOptions)
      throws IOException, InterruptedException {
    MAPPER.writeValue(folder.resolve(TASK).toFile(), task);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(OPTIONS);
    command.addAll(moreOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(ContenderProcess.class.getName(), folder.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(LOG).toFile())
            .start();
    Thread killer = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killer);
    int status = process.waitFor();
    Runtime.getRuntime().removeShutdownHook(killer);
    if (status != 0) {
      throw new IllegalStateException(
          task.kind().label() + " ended with " + status + ":\n" + output(folder));
    }
    return MAPPER.readValue(folder.resolve(OUTCOME).toFile(), MeasuredRun.class);
  }

  private static String output(Path folder) throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve(LOG));
    return String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
  }

  /** Runs the task in the folder that is named. */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    int status = 0;
    try {
      Task task = MAPPER.readValue(folder.resolve(TASK).toFile(), Task.class);
      MAPPER.writeValue(folder.resolve(OUTCOME).toFile(), new Measurement(task, folder).run());
    } catch (RuntimeException e) {
      e.printStackTrace();
      status = 1;
    }
    // Threads of clusters and clients may still be about.
    System.exit(status);
  }
}
