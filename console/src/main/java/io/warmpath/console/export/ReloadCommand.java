package io.warmpath.console.export;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Makes nginx read its configuration again.
 *
 * @param nginx program and options, without {@code -s}
 */
public record ReloadCommand(List<String> nginx) {

  private static final long PATIENCE_SECONDS = 20;
  private static final int SHOWN_CHARS = 2_000;

  public ReloadCommand {
    nginx = List.copyOf(nginx);
    if (nginx.isEmpty()) {
      throw new IllegalArgumentException("the command of nginx is empty");
    }
  }

  /**
   * Tests the configuration, and only if it is sound tells the running master to take it.
   *
   * @throws IOException if either fails, with what nginx says
   */
  void run() throws IOException {
    run("-t", "-q");
    run("-s", "reload");
  }

  private void run(String... options) throws IOException {
    List<String> command = new ArrayList<>(nginx);
    command.addAll(List.of(options));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      // It says little, and closes its output as it ends: the timer ends one that hangs.
      process
          .onExit()
          .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
          .exceptionally(
              late -> {
                process.destroyForcibly();
                return process;
              });
      byte[] said = process.getInputStream().readNBytes(SHOWN_CHARS);
      if (process.waitFor() != 0) {
        throw new IOException(
            String.join(" ", command) + ": " + new String(said, StandardCharsets.UTF_8).strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted during " + String.join(" ", command), e);
    } finally {
      process.destroyForcibly();
    }
  }
}
