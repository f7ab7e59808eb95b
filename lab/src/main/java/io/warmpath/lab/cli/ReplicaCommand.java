package io.warmpath.lab.cli;

import io.warmpath.lab.screen.Screen;
import io.warmpath.lab.stack.Parts;
import io.warmpath.replica.ReplicaConfig;
import io.warmpath.replica.ReplicaServer;
import io.warmpath.replica.cuda.CudaException;
import io.warmpath.replica.cuda.TransformerModel;
import io.warmpath.replica.engine.EngineProfile;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a replica. */
@Command(
    name = "replica",
    description = {
      "Runs a replica.",
      "An OpenAI-compatible inference server with prefix cache, continuous batching and timing of"
          + " a real one, and answers without meaning. Its steps are modelled, or computed on this"
          + " machine's first GPU through CUDA."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath replica --name replica-0 --bootstrap-servers localhost:9092",
      "  warmpath replica --name replica-1 --port 9002 --profile llama-3.1-8b-h100",
      "  warmpath replica --profile my-gpu.json --kv-blocks 5000 --time-scale 5",
      "  warmpath replica --engine cuda --transformer llama-3.1-8b --kv-blocks 16384",
      "  warmpath replica --kv-events-publisher zmq --kv-events-endpoint tcp://127.0.0.1:5557"
          + " --kv-events-replay-endpoint tcp://127.0.0.1:5558"
    })
final class ReplicaCommand implements Runnable {

  @Option(names = "--name", defaultValue = "replica-0", description = "Name in all records.")
  private String name;

  @Option(names = "--model", defaultValue = "warmpath-demo", description = "Model it serves.")
  private String model;

  @Option(names = "--host", defaultValue = "127.0.0.1", description = "Address.")
  private String host;

  @Option(names = "--port", defaultValue = "9001", description = "Port; 0 takes a free one.")
  private int port;

  /** What a step takes its time from. */
  enum Engine {
    MODELLED,
    CUDA;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      defaultValue = "modelled",
      description = "${COMPLETION-CANDIDATES}.")
  private Engine engine;

  @Option(
      names = "--transformer",
      paramLabel = "NAME|FILE",
      defaultValue = "qwen3-0.6b",
      description = "Sizes of the model that the cuda engine computes.")
  private String transformer;

  @Option(
      names = "--profile",
      paramLabel = "NAME|FILE",
      defaultValue = "llama-3.1-8b-h100",
      description = "GPU, model and server that the modelled engine follows.")
  private String profile;

  @Option(
      names = "--kv-blocks",
      paramLabel = "N",
      description = "KV blocks; the profile's or transformer's if not given.")
  private Integer kvBlocks;

  @Option(
      names = "--block-tokens",
      paramLabel = "N",
      description = "Tokens a KV block; the profile's or transformer's if not given.")
  private Integer blockTokens;

  @Option(
      names = "--time-scale",
      paramLabel = "S",
      defaultValue = "1",
      description = "Times faster than the model.")
  private double timeScale;

  @Option(
      names = "--bootstrap-servers",
      paramLabel = "HOST:PORT,…",
      description = "Kafka brokers for cache events and telemetry; without them it sends none.")
  private String bootstrapServers;

  @Option(
      names = "--kafka",
      paramLabel = "NAME=VALUE",
      description = "Any property of Kafka clients, such as security.protocol=SASL_SSL.")
  private Map<String, String> kafka = Map.of();

  @Mixin private KvEventsOptions kvEvents;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    ReplicaConfig.Builder config =
        ReplicaConfig.builder()
            .name(name)
            .model(model)
            .host(host)
            .port(port)
            .timeScale(timeScale)
            .kafka(kafkaProperties())
            .kvEvents(kvEvents.config());
    if (engine == Engine.CUDA) {
      config.cuda(TransformerModel.load(transformer));
    } else {
      config.profile(EngineProfile.load(profile));
    }
    if (kvBlocks != null) {
      config.kvBlocks(kvBlocks);
    }
    if (blockTokens != null) {
      config.blockTokens(blockTokens);
    }
    try (Parts parts = new Parts()) {
      ReplicaServer replica = parts.add(start(config.build()));
      Screen screen = Screen.of(spec);
      screen.line(name + " at http://" + host + ":" + replica.port() + "/v1");
      if (replica.kvEventsEndpoint() != null) {
        screen.line("KV events at " + replica.kvEventsEndpoint());
      }
      if (replica.kvEventsReplayEndpoint() != null) {
        screen.line("Their replay at " + replica.kvEventsReplayEndpoint());
      }
      parts.awaitEnd();
    }
  }

  private static ReplicaServer start(ReplicaConfig config) {
    try {
      return ReplicaServer.start(config);
    } catch (CudaException e) {
      throw new IllegalStateException("--engine cuda: " + e.getMessage(), e);
    }
  }

  private Map<String, Object> kafkaProperties() {
    if (bootstrapServers == null) {
      if (!kafka.isEmpty()) {
        throw new IllegalArgumentException("--kafka needs --bootstrap-servers");
      }
      return null;
    }
    Map<String, Object> properties = new HashMap<>(kafka);
    properties.put("bootstrap.servers", bootstrapServers);
    return properties;
  }
}
