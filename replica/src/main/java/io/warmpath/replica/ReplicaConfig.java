package io.warmpath.replica;

import io.warmpath.replica.cuda.TransformerModel;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.replica.kvevents.KvEventsConfig;
import java.time.Duration;
import java.util.Map;

/**
 * How a replica runs. Made by {@link #builder()}, which checks it.
 *
 * @param name replica name, in records and thread names
 * @param model model served
 * @param host address to listen on
 * @param port port to listen on; 0 for any free one
 * @param profile the engine, with block size and number of blocks as configured; of a computed one,
 *     only what the scheduler needs
 * @param cuda what the GPU computes, or null where the engine is modelled
 * @param timeScale how much faster than real the engine runs, 1 to {@value #MAX_TIME_SCALE}
 * @param kafka properties of the Kafka client, or null for no events there
 * @param kvEvents how events are published as a vLLM does, or null if they are not
 * @param telemetryInterval time between two signs of life
 * @param countersInterval time between two reports of the engine's counters
 * @param defaultOutputTokens tokens of an answer where the request does not say
 * @param maxOutputTokens most tokens of an answer
 * @param maxOpenRequests most requests at a time; more are refused with 503
 * @param maxBodyBytes largest request body
 */
public record ReplicaConfig(
    String name,
    String model,
    String host,
    int port,
    EngineProfile profile,
    TransformerModel cuda,
    double timeScale,
    Map<String, Object> kafka,
    KvEventsConfig kvEvents,
    Duration telemetryInterval,
    Duration countersInterval,
    int defaultOutputTokens,
    int maxOutputTokens,
    int maxOpenRequests,
    int maxBodyBytes) {

  static final int MAX_TIME_SCALE = 1_000;
  private static final int MAX_NAME = 128;
  private static final int MAX_PORT = 65_535;

  /**
   * A copy, checked.
   *
   * @throws IllegalArgumentException naming the option that is wrong
   */
  public ReplicaConfig {
    requireName(name, "name");
    requireName(model, "model");
    requireName(host, "host");
    require(port >= 0 && port <= MAX_PORT, "port", port, "0 to " + MAX_PORT);
    require(profile != null, "profile", profile, "set");
    require(
        timeScale >= 1 && timeScale <= MAX_TIME_SCALE,
        "time_scale",
        timeScale,
        "1 to " + MAX_TIME_SCALE);
    require(
        cuda == null || timeScale == 1, "time_scale", timeScale, "1: a GPU computes in real time");
    requireInterval(telemetryInterval, "telemetry_interval");
    requireInterval(countersInterval, "counters_interval");
    require(maxOutputTokens >= 1, "max_output_tokens", maxOutputTokens, "1 or more");
    require(
        defaultOutputTokens >= 1 && defaultOutputTokens <= maxOutputTokens,
        "default_output_tokens",
        defaultOutputTokens,
        "1 to max_output_tokens");
    require(maxOpenRequests >= 1, "max_open_requests", maxOpenRequests, "1 or more");
    require(maxBodyBytes >= 1, "max_body_bytes", maxBodyBytes, "1 or more");
    kafka = kafka == null ? null : Map.copyOf(kafka);
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Whether somebody needs the ids of a sequence's tokens. */
  public boolean tokensNeeded() {
    return cuda != null || kvEvents != null;
  }

  private static void requireName(String value, String option) {
    require(
        value != null && !value.isBlank() && value.length() <= MAX_NAME,
        option,
        value,
        "a text of 1 to " + MAX_NAME + " characters");
  }

  private static void requireInterval(Duration value, String option) {
    require(value != null && value.toMillis() >= 10, option, value, "10 ms or more");
  }

  private static void require(boolean holds, String option, Object value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(option + " is " + value + ", must be " + expected);
    }
  }

  /** Collects options; what is not set has its default. */
  public static final class Builder {

    private String name = "replica-0";
    private String model = "warmpath-demo";
    private String host = "127.0.0.1";
    private int port = 9001;
    private EngineProfile profile;
    private TransformerModel cuda;
    private Integer blockTokens;
    private Integer kvBlocks;
    private double timeScale = 1;
    private Map<String, Object> kafka;
    private KvEventsConfig kvEvents;
    private Duration telemetryInterval = Duration.ofMillis(500);
    private Duration countersInterval = Duration.ofSeconds(1);
    private int defaultOutputTokens = 128;
    private int maxOutputTokens = 16_384;
    private int maxOpenRequests = 1_024;
    private int maxBodyBytes = 16 * 1024 * 1024;

    private Builder() {}

    public Builder name(String value) {
      name = value;
      return this;
    }

    public Builder model(String value) {
      model = value;
      return this;
    }

    public Builder host(String value) {
      host = value;
      return this;
    }

    /** 0 for any free one. */
    public Builder port(int value) {
      port = value;
      return this;
    }

    /** The modelled engine; {@code founding} where it is not set. */
    public Builder profile(EngineProfile value) {
      profile = value;
      return this;
    }

    /** What a GPU computes, in place of a modelled engine. */
    public Builder cuda(TransformerModel value) {
      cuda = value;
      return this;
    }

    /** Tokens a KV block, in place of the profile's or the transformer's. */
    public Builder blockTokens(int value) {
      blockTokens = value;
      return this;
    }

    /** KV blocks, in place of the profile's or the transformer's. */
    public Builder kvBlocks(int value) {
      kvBlocks = value;
      return this;
    }

    public Builder timeScale(double value) {
      timeScale = value;
      return this;
    }

    /** Properties of the Kafka client, at least {@code bootstrap.servers}; null for no events. */
    public Builder kafka(Map<String, Object> clientProperties) {
      kafka = clientProperties;
      return this;
    }

    /** Events over ZeroMQ, beside Kafka or without it; null for none. */
    public Builder kvEvents(KvEventsConfig value) {
      kvEvents = value;
      return this;
    }

    public Builder telemetryInterval(Duration value) {
      telemetryInterval = value;
      return this;
    }

    /** Also how soon the loss of a batch shows where no other event follows it. */
    public Builder countersInterval(Duration value) {
      countersInterval = value;
      return this;
    }

    public Builder defaultOutputTokens(int value) {
      defaultOutputTokens = value;
      return this;
    }

    public Builder maxOutputTokens(int value) {
      maxOutputTokens = value;
      return this;
    }

    public Builder maxOpenRequests(int value) {
      maxOpenRequests = value;
      return this;
    }

    public Builder maxBodyBytes(int value) {
      maxBodyBytes = value;
      return this;
    }

    /**
     * The configuration.
     *
     * @throws IllegalArgumentException naming the option that is wrong
     */
    public ReplicaConfig build() {
      TransformerModel transformer = sizedTransformer();
      return new ReplicaConfig(
          name,
          model,
          host,
          port,
          transformer == null ? sizedProfile() : transformer.scheduling(),
          transformer,
          timeScale,
          kafka,
          kvEvents,
          telemetryInterval,
          countersInterval,
          defaultOutputTokens,
          maxOutputTokens,
          maxOpenRequests,
          maxBodyBytes);
    }

    private TransformerModel sizedTransformer() {
      return cuda == null
          ? null
          : cuda.withKv(
              kvBlocks == null ? cuda.kvBlocks() : kvBlocks,
              blockTokens == null ? cuda.blockTokens() : blockTokens);
    }

    private EngineProfile sizedProfile() {
      EngineProfile sized = profile == null ? EngineProfile.load("founding") : profile;
      // Together, so that neither is checked against the other's old value.
      return sized.withKv(
          kvBlocks == null ? sized.kvBlocks() : kvBlocks,
          blockTokens == null ? sized.blockTokens() : blockTokens);
    }
  }
}
