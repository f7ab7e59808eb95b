package io.warmpath.replica;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** {@code kv_subscriber.py} in a process of its own. */
final class PythonSubscriber implements AutoCloseable {

  /** The one that Debian's packages belong to. */
  private static final String PYTHON = "/usr/bin/python3";

  private static final int PATIENCE_SECONDS = 20;

  private final Process process;
  private final BlockingQueue<JsonNode> lines = new LinkedBlockingQueue<>();

  PythonSubscriber(String endpoint, String replayEndpoint, String topic) throws IOException {
    Path script = Path.of("src/test/python/kv_subscriber.py");
    process =
        new ProcessBuilder(PYTHON, script.toString(), endpoint, replayEndpoint, topic)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Thread reader = new Thread(this::read, "python-subscriber");
    reader.setDaemon(true);
    reader.start();
  }

  /** Skips the test where there is no python3-zmq or python3-msgpack. */
  static void assumeThere() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of(PYTHON)), PYTHON + " is not there");
    Process check = new ProcessBuilder(PYTHON, "-c", "import zmq, msgpack").start();
    assumeTrue(check.waitFor() == 0, "python3-zmq or python3-msgpack is not installed");
  }

  private void read() {
    try (BufferedReader output = process.inputReader()) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(RunningReplica.JSON.readTree(line));
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  /** The next message; fails the test if there is none in time. */
  JsonNode next() throws InterruptedException {
    JsonNode line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (line == null) {
      throw new AssertionError("the subscriber shows nothing more; it runs: " + process.isAlive());
    }
    return line;
  }

  /** The next message if it is there already, else null. */
  JsonNode poll() {
    return lines.poll();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
