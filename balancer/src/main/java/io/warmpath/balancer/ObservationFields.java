package io.warmpath.balancer;

import static io.warmpath.schemas.config.Field.Change.RESTART;

import io.warmpath.balancer.decision.DecisionLogSettings;
import io.warmpath.balancer.trace.TracingSettings;
import io.warmpath.schemas.config.Field;
import io.warmpath.schemas.config.FieldList;
import io.warmpath.schemas.config.FieldTypes;
import io.warmpath.schemas.config.Section;
import java.net.URI;
import java.util.List;

/** Fields of what a balancer tells of its requests beside events and metrics. */
final class ObservationFields {

  private static final FieldList ALL = new FieldList();

  static final Field<Double> DECISIONS_SAMPLE_RATE =
      ALL.optional(
          "decisions.sample_rate",
          FieldTypes.decimal(0, 1),
          DecisionLogSettings.DEFAULTS.sampleRate(),
          RESTART,
          "share of the requests whose decisions `/admin/decisions` shows with all candidates");

  static final Field<Integer> DECISIONS_KEEP =
      ALL.optional(
          "decisions.keep",
          FieldTypes.integer(1, 1_000_000),
          DecisionLogSettings.DEFAULTS.keep(),
          RESTART,
          "decisions kept for that; older ones make room");

  static final Field<URI> TRACING_ENDPOINT =
      ALL.optional(
          "tracing.endpoint",
          FieldTypes.parsed("URL", ReplicaAddress::parseUrl, URI::toString),
          TracingSettings.OFF.endpoint(),
          RESTART,
          "where an OTLP receiver takes traces over HTTP, `http://host:4318/v1/traces`; without it"
              + " there are none");

  static final Field<Double> TRACING_SAMPLE_RATE =
      ALL.optional(
          "tracing.sample_rate",
          FieldTypes.decimal(0, 1),
          TracingSettings.OFF.sampleRate(),
          RESTART,
          "share of the requests that are traced, of those that come without `traceparent`");

  private ObservationFields() {}

  static DecisionLogSettings decisions(Section section) {
    DecisionLogSettings settings =
        new DecisionLogSettings(section.get(DECISIONS_SAMPLE_RATE), section.get(DECISIONS_KEEP));
    section.end();
    return settings;
  }

  static TracingSettings tracing(Section section) {
    TracingSettings settings =
        new TracingSettings(section.get(TRACING_ENDPOINT), section.get(TRACING_SAMPLE_RATE));
    section.end();
    return settings;
  }

  static void check(BalancerConfig config) {
    DECISIONS_SAMPLE_RATE.check(config.decisions().sampleRate());
    DECISIONS_KEEP.check(config.decisions().keep());
    TRACING_ENDPOINT.check(config.tracing().endpoint());
    TRACING_SAMPLE_RATE.check(config.tracing().sampleRate());
  }

  static List<Field<?>> all() {
    return ALL.fields();
  }
}
