package io.warmpath.lab.cluster;

import io.warmpath.lab.Await;
import io.warmpath.lab.cli.WarmpathCommand;
import io.warmpath.lab.embedded.KafkaNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code warmpath replica} in a JVM of its own that publishes its events as a vLLM does, on ports
 * that it keeps when it starts again.
 */
final class ReplicaProcess implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int HEAP_MIB = 256;

  private final String name;
  private final Path folder;
  private final int port = KafkaNode.freePort();
  private final String events = "tcp://127.0.0.1:" + KafkaNode.freePort();
  private final String replay = "tcp://127.0.0.1:" + KafkaNode.freePort();
  private final List<String> command;
  private final HttpClient http = HttpClient.newHttpClient();
  private JavaProcess process;

  /**
   * Starts one, and waits until it serves.
   *
   * @param options further options of the command
   */
  ReplicaProcess(String name, Path folder, List<String> options) {
    this.name = name;
    this.folder = folder;
    command = new ArrayList<>(List.of(WarmpathCommand.class.getName(), "replica"));
    command.addAll(List.of("--name", name, "--port", Integer.toString(port)));
    command.addAll(List.of("--kv-events-publisher", "zmq", "--kv-events-endpoint", events));
    command.addAll(List.of("--kv-events-replay-endpoint", replay));
    command.addAll(options);
    restart();
  }

  /** Starts it again under its name. */
  void restart() {
    process = JavaProcess.start(name, folder, HEAP_MIB, ClassPath.all(), command);
    Await.until(name + " serves", PATIENCE, this::serves);
  }

  private boolean serves() throws InterruptedException {
    process.requireAlive();
    try {
      HttpRequest health = HttpRequest.newBuilder(uri().resolve("/health")).build();
      return http.send(health, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /** Kills it as {@code kill -9} does. */
  void kill() {
    process.kill();
  }

  String name() {
    return name;
  }

  /** Its base URL. */
  URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Where it publishes. */
  String events() {
    return events;
  }

  /** Where it answers who missed something. */
  String replay() {
    return replay;
  }

  @Override
  public void close() {
    process.close();
  }
}
