package io.warmpath.lab.cli;

import io.warmpath.replica.kvevents.BlockHashForm;
import io.warmpath.replica.kvevents.KvEventEncoding;
import io.warmpath.replica.kvevents.KvEventsConfig;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Events as a vLLM publishes them. Names are those of vLLM's {@code KVEventsConfig}. */
final class KvEventsOptions {

  /** vLLM's two. */
  enum Publisher {
    NULL,
    ZMQ;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--kv-events-publisher",
      paramLabel = "PUBLISHER",
      description =
          "zmq publishes cache events as a vLLM does, beside Kafka or without it. Default: null.")
  private Publisher publisher;

  @Option(
      names = "--kv-events-endpoint",
      paramLabel = "ADDRESS",
      description = "Of the PUB socket. Default: tcp://*:5557.")
  private String endpoint;

  @Option(
      names = "--kv-events-socket",
      paramLabel = "END",
      description =
          "bind: subscribers connect there. connect: one subscriber listens there. Default: bind.")
  private KvEventsConfig.SocketEnd socket;

  @Option(
      names = "--kv-events-replay-endpoint",
      paramLabel = "ADDRESS",
      description = "Of the ROUTER socket that replays. Default: no replay.")
  private String replayEndpoint;

  @Option(
      names = "--kv-events-topic",
      paramLabel = "TOPIC",
      description = "First frame of each message. Default: empty.")
  private String topic;

  @Option(
      names = "--kv-events-encoding",
      paramLabel = "LAYOUT",
      description =
          "array: batch and events as arrays. mixed: events as maps. map: both as maps."
              + " Default: array.")
  private KvEventEncoding encoding;

  @Option(
      names = "--kv-events-block-hashes",
      paramLabel = "FORM",
      description = "int: 64 bits, unsigned. bytes: 32 bytes. Default: int.")
  private BlockHashForm blockHashes;

  @Option(
      names = "--kv-events-buffer-steps",
      paramLabel = "N",
      description = "Batches kept for replay. Default: 10000.")
  private Integer bufferSteps;

  @Option(
      names = "--kv-events-hwm",
      paramLabel = "N",
      description = "Batches that wait for one subscriber; more are lost for it. Default: 1000.")
  private Integer hwm;

  /**
   * What they say, or null where nothing is to be published.
   *
   * @throws IllegalArgumentException naming what is wrong
   */
  KvEventsConfig config() {
    if (publisher != Publisher.ZMQ) {
      requireNothingElse();
      return null;
    }
    KvEventsConfig.Builder config = KvEventsConfig.builder().replayEndpoint(replayEndpoint);
    set(endpoint, config::endpoint);
    set(socket, config::socket);
    set(topic, config::topic);
    set(encoding, config::encoding);
    set(blockHashes, config::blockHashes);
    set(bufferSteps, config::bufferSteps);
    set(hwm, config::hwm);
    return config.build();
  }

  private static <T> void set(T value, Consumer<T> setter) {
    if (value != null) {
      setter.accept(value);
    }
  }

  private void requireNothingElse() {
    boolean nothing =
        Stream.of(endpoint, socket, replayEndpoint, topic, encoding, blockHashes, bufferSteps, hwm)
            .allMatch(Objects::isNull);
    if (!nothing) {
      throw new IllegalArgumentException("--kv-events-… needs --kv-events-publisher zmq");
    }
  }
}
