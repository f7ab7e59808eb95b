package io.warmpath.jobs.request;

import io.warmpath.jobs.request.RequestFigures.Type;
import io.warmpath.schemas.Require;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The fields of request events as the contract has them, in the order in which they are written.
 */
enum RequestField {
  TYPE(Form.TYPE, all()),
  V(Form.VERSION, all()),
  EVENT_TIME_MS(Form.TIME, all()),
  REQUEST_ID(Form.TEXT, all()),
  TRACE_ID(Form.TEXT, all(), all()),
  ROUTER(Form.TEXT, all()),
  ROUTER_START_MS(Form.TIME, all()),
  EVENTS_DROPPED(Form.MEASURE, all()),
  MODEL(Form.TEXT, all()),
  TENANT(Form.TEXT, all(), all()),
  SESSION(Form.TEXT, all(), all()),
  POLICY(Form.TEXT, all()),
  REPLICA(Form.TEXT, all(), EnumSet.of(Type.ROUTED, Type.FINISHED)),
  ATTEMPT(Form.INT, all()),
  WEIGHTS_EPOCH(Form.TIME, all()),
  STREAM(Form.TRUTH, all()),
  PROMPT_TOKENS(Form.MEASURE, withFacts()),
  PROMPT_TOKENS_EXACT(Form.TRUTH, withFacts()),
  CHOSEN_CACHED_TOKENS(Form.MEASURE, withFacts()),
  BEST_CACHED_TOKENS(Form.MEASURE, withFacts()),
  BEST_ADMISSIBLE_CACHED_TOKENS(Form.MEASURE, withFacts()),
  SEEN_TOKENS(Form.MEASURE, withFacts()),
  BACKLOG_TOKENS(Form.MEASURE, withFacts()),
  IN_FLIGHT(Form.INT, withFacts()),
  DECISION_US(Form.MEASURE, withFacts()),
  PREFIX(Form.PREFIX, EnumSet.of(Type.ROUTED), all()),
  REASON(Form.TEXT, EnumSet.of(Type.ATTEMPT_FAILED)),
  ELAPSED_US(Form.MEASURE, EnumSet.of(Type.ATTEMPT_FAILED)),
  TTFT_US(Form.MEASURE, withTimes(), EnumSet.of(Type.FINISHED)),
  UPSTREAM_TTFT_US(Form.MEASURE, withTimes(), EnumSet.of(Type.FINISHED)),
  FIRST_BYTE_US(Form.MEASURE, withTimes(), EnumSet.of(Type.FINISHED)),
  FIRST_CONTENT_US(Form.MEASURE, withTimes(), all()),
  OUTCOME(Form.OUTCOME, EnumSet.of(Type.FINISHED)),
  STATUS(Form.INT, EnumSet.of(Type.FINISHED)),
  CACHED_TOKENS(Form.MEASURE, EnumSet.of(Type.FINISHED), all()),
  OUTPUT_TOKENS(Form.MEASURE, EnumSet.of(Type.FINISHED)),
  E2E_US(Form.MEASURE, EnumSet.of(Type.FINISHED)),
  RETRIES(Form.INT, EnumSet.of(Type.FINISHED));

  /** What a value must look like. */
  enum Form {
    TYPE,
    VERSION,
    TIME(Require.MAX_TIME_MS),
    MEASURE(Require.MAX_MEASURE),
    INT(Integer.MAX_VALUE),
    TEXT,
    TRUTH,
    OUTCOME,
    PREFIX;

    private final long limit;

    Form() {
      this(0);
    }

    Form(long limit) {
      this.limit = limit;
    }

    /** Whether it is a word out of a list. */
    boolean isOneOfFew() {
      return this == TRUTH || this == OUTCOME;
    }

    /** The highest number that it may be; 0 where it is none. */
    long limit() {
      return limit;
    }
  }

  private static final RequestField[] FIELDS = values();
  private static final RequestField[][] BY_LENGTH = byLength();

  private final Form form;
  private final byte[] name = name().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
  private final Literal opening = Literal.of(",\"" + name().toLowerCase(Locale.ROOT) + "\":");
  private final Set<Type> types;
  private final Set<Type> nullableIn;

  RequestField(Form form, Set<Type> types) {
    this(form, types, EnumSet.noneOf(Type.class));
  }

  RequestField(Form form, Set<Type> types, Set<Type> nullableIn) {
    this.form = form;
    this.types = types;
    this.nullableIn = nullableIn;
  }

  private static Set<Type> all() {
    return EnumSet.allOf(Type.class);
  }

  private static Set<Type> withFacts() {
    return EnumSet.of(Type.ROUTED, Type.FIRST_TOKEN, Type.FINISHED);
  }

  private static Set<Type> withTimes() {
    return EnumSet.of(Type.FIRST_TOKEN, Type.FINISHED);
  }

  private static RequestField[][] byLength() {
    RequestField[][] byLength = new RequestField[32][];
    for (int length = 0; length < byLength.length; length++) {
      int wanted = length;
      byLength[length] =
          Arrays.stream(FIELDS)
              .filter(field -> field.name.length == wanted)
              .toArray(RequestField[]::new);
    }
    return byLength;
  }

  /** The field that is named in {@code bytes[from, to)}, or null. */
  static RequestField named(byte[] bytes, int from, int to) {
    if (to - from < BY_LENGTH.length) {
      for (RequestField field : BY_LENGTH[to - from]) {
        if (Arrays.equals(bytes, from, to, field.name, 0, field.name.length)) {
          return field;
        }
      }
    }
    return null;
  }

  /** What its value must look like. */
  Form form() {
    return form;
  }

  /** A comma, the name in quotes and a colon. */
  Literal opening() {
    return opening;
  }

  /** This field's place in a set of fields. */
  long bit() {
    return 1L << ordinal();
  }

  /** The fields that an event of a type carries. */
  static long carriedBy(Type type) {
    return bits(field -> field.types.contains(type));
  }

  /** Those of them that may be null, or missing. */
  static long nullableIn(Type type) {
    return bits(field -> field.types.contains(type) && field.nullableIn.contains(type));
  }

  private static long bits(Predicate<RequestField> wanted) {
    return Arrays.stream(FIELDS)
        .filter(wanted)
        .mapToLong(RequestField::bit)
        .reduce(0, (a, b) -> a | b);
  }
}
