package io.warmpath.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The replica module's emulated CUDA driver, for this JVM. */
public final class EmulatedCuda {

  private static final Path SCRIPT = Path.of("../replica/src/test/cuda/build.sh");
  private static final Path FOLDER = Path.of("target/emulated-cuda").toAbsolutePath();

  private EmulatedCuda() {}

  /**
   * Builds it and loads it. JCuda's library asks for a {@code libcuda.so.1}, and finds the one that
   * is loaded already. Where there is no compiler, the test is skipped and says so.
   */
  public static synchronized void load() throws IOException, InterruptedException {
    assumeTrue(
        isThere("gcc") && isThere("g++"), "skipped: no gcc and g++ to build the driver with");
    Path library = FOLDER.resolve("libcuda.so.1");
    if (!Files.exists(library)) {
      Process build =
          new ProcessBuilder("bash", SCRIPT.toString(), FOLDER.toString()).inheritIO().start();
      assertEquals(0, build.waitFor(), "the emulated driver does not compile");
    }
    System.load(library.toString());
  }

  private static boolean isThere(String command) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
  }
}
