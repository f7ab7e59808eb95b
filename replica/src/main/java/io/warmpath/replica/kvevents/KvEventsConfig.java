package io.warmpath.replica.kvevents;

import java.util.Locale;

/**
 * How events are published. Names and meaning are those of vLLM's {@code KVEventsConfig} where it
 * has them. Made by {@link #builder()}, which checks it.
 *
 * @param endpoint of the PUB socket, such as {@code tcp://*:5557}
 * @param socket which end of it listens
 * @param replayEndpoint where the ROUTER socket listens, or null for no replay
 * @param topic first frame of every message
 * @param encoding layout of batches and events
 * @param blockHashes form of block hashes
 * @param bufferSteps batches kept for replay
 * @param hwm batches that wait for one subscriber; more are lost for it
 */
public record KvEventsConfig(
    String endpoint,
    SocketEnd socket,
    String replayEndpoint,
    String topic,
    KvEventEncoding encoding,
    BlockHashForm blockHashes,
    int bufferSteps,
    int hwm) {

  private static final int MAX_TOPIC = 256;
  private static final int MAX_BATCHES = 1_000_000;

  /** What the PUB socket does at its endpoint. vLLM guesses it from the address. */
  public enum SocketEnd {
    /** Subscribers connect. */
    BIND,
    /** A subscriber of many engines listens. */
    CONNECT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Checks every option.
   *
   * @throws IllegalArgumentException naming the one that is wrong
   */
  public KvEventsConfig {
    requireEndpoint("endpoint", endpoint);
    if (replayEndpoint != null) {
      requireEndpoint("replay_endpoint", replayEndpoint);
    }
    require(
        topic != null && topic.length() <= MAX_TOPIC,
        "topic",
        topic,
        "a text of at most " + MAX_TOPIC + " characters");
    require(
        bufferSteps >= 1 && bufferSteps <= MAX_BATCHES,
        "buffer_steps",
        bufferSteps,
        "1 to " + MAX_BATCHES);
    require(hwm >= 1 && hwm <= MAX_BATCHES, "hwm", hwm, "1 to " + MAX_BATCHES);
  }

  public static Builder builder() {
    return new Builder();
  }

  private static void requireEndpoint(String option, String value) {
    require(
        value != null && value.matches("(tcp|ipc)://.+"),
        option,
        value,
        "tcp://ADDRESS:PORT or ipc://PATH");
  }

  private static void require(boolean holds, String option, Object value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(
          "kv_events " + option + " is " + value + ", must be " + expected);
    }
  }

  /** Collects options; what is not set has its default. */
  public static final class Builder {

    private String endpoint = "tcp://*:5557";
    private SocketEnd socket = SocketEnd.BIND;
    private String replayEndpoint;
    private String topic = "";
    private KvEventEncoding encoding = KvEventEncoding.ARRAY;
    private BlockHashForm blockHashes = BlockHashForm.INT;
    private int bufferSteps = 10_000;
    private int hwm = 1_000;

    private Builder() {}

    public Builder endpoint(String value) {
      endpoint = value;
      return this;
    }

    public Builder socket(SocketEnd value) {
      socket = value;
      return this;
    }

    public Builder replayEndpoint(String value) {
      replayEndpoint = value;
      return this;
    }

    public Builder topic(String value) {
      topic = value;
      return this;
    }

    public Builder encoding(KvEventEncoding value) {
      encoding = value;
      return this;
    }

    public Builder blockHashes(BlockHashForm value) {
      blockHashes = value;
      return this;
    }

    public Builder bufferSteps(int value) {
      bufferSteps = value;
      return this;
    }

    public Builder hwm(int value) {
      hwm = value;
      return this;
    }

    /**
     * The configuration.
     *
     * @throws IllegalArgumentException naming the option that is wrong
     */
    public KvEventsConfig build() {
      return new KvEventsConfig(
          endpoint, socket, replayEndpoint, topic, encoding, blockHashes, bufferSteps, hwm);
    }
  }
}
