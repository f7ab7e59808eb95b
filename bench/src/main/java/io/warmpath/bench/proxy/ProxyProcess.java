package io.warmpath.bench.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A proxy in a process of its own, with what it starts itself. */
final class ProxyProcess implements AutoCloseable {

  private static final Duration START = Duration.ofSeconds(60);
  private static final long STOP_SECONDS = 15;
  private static final int SHOWN_LINES = 30;

  private final Process process;
  private final int port;
  private final Path log;
  private final Thread killer = new Thread(this::kill);

  private ProxyProcess(Process process, int port, Path log) {
    this.process = process;
    this.port = port;
    this.log = log;
    Runtime.getRuntime().addShutdownHook(killer);
  }

  /**
   * Starts a proxy; it takes connections when this returns.
   *
   * @param port port of loopback that it is to listen on
   * @param log takes its output
   * @throws IllegalStateException if it does not come up, with the end of its output
   */
  static ProxyProcess start(List<String> command, int port, Path log)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    ProxyProcess proxy = new ProxyProcess(process, port, log);
    boolean up = false;
    try {
      up = Waiting.until(() -> !process.isAlive() || proxy.listens(), START) && process.isAlive();
    } finally {
      if (!up) {
        proxy.close();
      }
    }
    if (!up) {
      throw new IllegalStateException(
          "%s does not come up:%n%s".formatted(command, proxy.output()));
    }
    return proxy;
  }

  private boolean listens() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private String output() throws IOException {
    List<String> lines = Files.readAllLines(log);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
  }

  int port() {
    return port;
  }

  /**
   * The program's own process: what binds it to processors has become the program.
   *
   * @return its number
   */
  long pid() {
    return process.pid();
  }

  /** Processor time so far, of all its processes. */
  long cpuNanos() {
    return all()
        .map(ProcessHandle::info)
        .flatMap(info -> info.totalCpuDuration().stream())
        .mapToLong(Duration::toNanos)
        .sum();
  }

  private Stream<ProcessHandle> all() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants());
  }

  private void kill() {
    all().toList().forEach(ProcessHandle::destroyForcibly);
  }

  /** Asks it to stop, and kills what is left of it after a while. */
  @Override
  public void close() {
    List<ProcessHandle> all = all().toList();
    process.destroy();
    try {
      process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    all.forEach(ProcessHandle::destroyForcibly);
    Runtime.getRuntime().removeShutdownHook(killer);
  }
}
