package io.warmpath.balancer;

import static io.warmpath.schemas.config.Field.Change.LIVE;
import static io.warmpath.schemas.config.Field.Change.RESTART;

import io.warmpath.balancer.events.EventSettings;
import io.warmpath.balancer.prompt.TokenizerKind;
import io.warmpath.balancer.proxy.UnknownModel;
import io.warmpath.balancer.tokenize.TokenizeSettings;
import io.warmpath.routing.policy.Policies;
import io.warmpath.routing.prefix.PrefixHasher;
import io.warmpath.schemas.config.Field;
import io.warmpath.schemas.config.FieldList;
import io.warmpath.schemas.config.FieldType;
import io.warmpath.schemas.config.FieldTypes;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Fields of what a balancer serves and how it routes, and with them all others. */
final class ConfigFields {

  private static final FieldList ALL = new FieldList();

  private static final FieldType<String> POLICY_NAME =
      FieldTypes.parsed(
          "policy",
          name -> {
            Policies.parse(name);
            return name;
          },
          Function.identity());

  static final Field<String> NAME =
      ALL.optional("name", FieldTypes.text(), "balancer-0", RESTART, "name in events and to Kafka");

  static final Field<String> POLICY =
      ALL.optional(
          "policy",
          POLICY_NAME,
          "adaptive",
          LIVE,
          "routes all requests; see docs/policies.md. Not beside `arms`");

  static final Field<String> ARM_POLICY =
      ALL.required("arms[].policy", POLICY_NAME, LIVE, "routes a share of the conversations");

  static final Field<Double> ARM_SHARE =
      ALL.optional(
          "arms[].share",
          FieldTypes.decimal(1e-6, 1e6),
          1.0,
          LIVE,
          "that share, relative to the other arms'");

  static final Field<String> MODEL_NAME =
      ALL.required("models[].name", FieldTypes.text(), RESTART, "name that clients ask for");

  static final Field<TokenizerKind> MODEL_TOKENIZER =
      ALL.optional(
          "models[].tokenizer",
          FieldTypes.choice(TokenizerKind.class),
          TokenizerKind.QUAD,
          RESTART,
          "how prompts are counted; see below");

  static final Field<Duration> MODEL_TOKENIZE_TIMEOUT =
      ALL.optional(
          "models[].tokenize_timeout",
          FieldTypes.duration(Duration.ofMillis(1), Duration.ofMinutes(1)),
          TokenizeSettings.DEFAULTS.timeout(),
          RESTART,
          "how long a request waits for the engine to say its tokens, with `tokenizer: engine`");

  static final Field<Integer> MODEL_BLOCK_TOKENS =
      ALL.optional(
          "models[].block_tokens",
          FieldTypes.integer(1, PrefixHasher.MAX_BLOCK_TOKENS),
          ModelConfig.DEFAULT_BLOCK_TOKENS,
          RESTART,
          "tokens a KV block, as the replicas have them");

  static final Field<String> REPLICA_NAME =
      ALL.required(
          "models[].replicas[].name",
          FieldTypes.text(),
          LIVE,
          "name in events, metrics and weights; only one of all models");

  static final Field<URI> REPLICA_URL =
      ALL.required(
          "models[].replicas[].url",
          FieldTypes.parsed("URL", ReplicaAddress::parseUrl, URI::toString),
          LIVE,
          "`http://host:port` or `https://…`, perhaps with a path before `/v1`");

  static final Field<Boolean> REPLICA_DRAIN =
      ALL.optional(
          "models[].replicas[].drain",
          FieldTypes.truth(),
          false,
          LIVE,
          "whether it gets no new requests; those that are open go on");

  static final Field<String> REPLICAS_DNS =
      ALL.required(
          "models[].replicas.dns",
          FieldTypes.text(),
          LIVE,
          "in place of a list: a name each address of which is a replica, named `address:port`");

  static final Field<Integer> REPLICAS_PORT =
      ALL.required(
          "models[].replicas.port", FieldTypes.integer(1, 65_535), LIVE, "port of all of them");

  static final Field<Duration> REPLICAS_REFRESH =
      ALL.optional(
          "models[].replicas.refresh",
          FieldTypes.duration(Duration.ofSeconds(1), Duration.ofDays(1)),
          Duration.ofSeconds(10),
          LIVE,
          "how often the name is looked up");

  static final Field<UnknownModel> UNKNOWN_MODEL =
      ALL.optional(
          "unknown_model",
          FieldTypes.choice(UnknownModel.class),
          UnknownModel.REFUSE,
          LIVE,
          "requests for other models get 404, or go to the first model");

  static final Field<Duration> START_TIMEOUT =
      ALL.optional(
          "start_timeout",
          FieldTypes.time(),
          Duration.ofSeconds(5),
          RESTART,
          "how long a start waits for Kafka's topics to be read");

  static final Field<Duration> CACHE_REPLAY =
      ALL.optional(
          "cache_replay",
          FieldTypes.time(),
          Duration.ofMinutes(30),
          RESTART,
          "how far back cache events are read at the start");

  static final Field<Integer> EVENTS_BUFFER =
      ALL.optional(
          "events.buffer",
          FieldTypes.integer(1, 10_000_000),
          EventSettings.DEFAULTS.buffer(),
          RESTART,
          "events kept at most while Kafka does not take them");

  static final Field<Duration> EVENTS_FLUSH_TIMEOUT =
      ALL.optional(
          "events.flush_timeout",
          FieldTypes.time(),
          EventSettings.DEFAULTS.flushTimeout(),
          RESTART,
          "how long a stop waits for events to be delivered");

  static final Field<Double> EVENTS_SAMPLE_RATE =
      ALL.optional(
          "events.sample_rate",
          FieldTypes.decimal(0, 1),
          EventSettings.DEFAULTS.sampleRate(),
          RESTART,
          "share of the block hashes that `routed` events carry");

  static final Field<Double> TIME_SCALE =
      ALL.optional(
          "time_scale",
          FieldTypes.decimal(1, 1000),
          1.0,
          RESTART,
          "how much faster than real the replicas run: factor of durations in events and metrics");

  static final Field<Integer> EVENT_LOOPS =
      ALL.optional(
          "event_loops",
          FieldTypes.integer(0, 1024),
          0,
          RESTART,
          "threads that serve, 0 for one a processor");

  private ConfigFields() {}

  /** All fields but the pass-through properties of {@code kafka}, in the reference's order. */
  static List<Field<?>> all() {
    return Stream.of(ALL.fields(), ClientFields.all(), ReplicaFields.all(), ObservationFields.all())
        .flatMap(List::stream)
        .toList();
  }
}
