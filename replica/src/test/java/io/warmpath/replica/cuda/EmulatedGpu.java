package io.warmpath.replica.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Other JVMs that find a CUDA driver, which is ours and computes on the CPU. */
final class EmulatedGpu {

  private static final Path SCRIPT = Path.of("src/test/cuda/build.sh");
  private static final Path FOLDER = Path.of("target/emulated-cuda").toAbsolutePath();
  private static final long PATIENCE_SECONDS = 300;
  private static boolean built;

  private EmulatedGpu() {}

  /**
   * A run of a program.
   *
   * @param exitCode its exit code
   * @param output what it wrote, errors too
   */
  record Run(int exitCode, String output) {}

  /** Builds the driver, once; where there is no compiler, the test is skipped and says so. */
  static synchronized void build() throws IOException, InterruptedException {
    assumeTrue(
        isThere("gcc") && isThere("g++"), "skipped: no gcc and g++ to build the driver with");
    if (built) {
      return;
    }
    Run run = finished(new ProcessBuilder("bash", SCRIPT.toString(), FOLDER.toString()));
    if (run.exitCode() != 0) {
      throw new AssertionError("the emulated driver does not compile:\n" + run.output());
    }
    built = true;
  }

  /** Runs a main class with the driver. */
  static Run run(Map<String, String> environment, Class<?> main, String... args)
      throws IOException, InterruptedException {
    return finished(jvm(environment, main, args));
  }

  /** A JVM with the driver, not started. */
  static ProcessBuilder jvm(Map<String, String> environment, Class<?> main, String... args) {
    ProcessBuilder process = jvmWithoutDriver(main, args);
    process.environment().put("LD_LIBRARY_PATH", FOLDER.toString());
    process.environment().putAll(environment);
    return process;
  }

  /** The same JVM on a machine without CUDA. */
  static ProcessBuilder jvmWithoutDriver(Class<?> main, String... args) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-Xmx512m", "-cp", System.getProperty("java.class.path")));
    line.add(main.getName());
    line.addAll(List.of(args));
    ProcessBuilder process = new ProcessBuilder(line);
    // A driver of the machine's own must not be found by chance.
    process.environment().put("LD_LIBRARY_PATH", "");
    return process;
  }

  static Run finished(ProcessBuilder builder) throws IOException, InterruptedException {
    Path output = Files.createTempFile("warmpath-", ".log");
    try {
      Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        throw new AssertionError("still running:\n" + Files.readString(output));
      }
      return new Run(process.exitValue(), Files.readString(output));
    } finally {
      Files.delete(output);
    }
  }

  static boolean isThere(String command) throws IOException, InterruptedException {
    return new ProcessBuilder("sh", "-c", "command -v " + command + " > /dev/null")
            .start()
            .waitFor()
        == 0;
  }
}
