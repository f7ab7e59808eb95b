package io.warmpath.jobs.request;

import io.warmpath.jobs.request.RequestFigures.Type;
import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.request.Outcome;
import java.util.Arrays;

/**
 * What the fields of an event hold, each by its place in {@link RequestField}: numbers as they are,
 * texts by where they lie in the event's bytes. A field that is missing or null has neither.
 */
final class RequestValues {

  private static final int FIELDS = RequestField.values().length;
  private static final Literal[] OUTCOME_WORDS =
      words("ok", "upstream_error", "client_abort", "timeout", "rejected");
  private static final Literal[] TYPE_WORDS =
      words("routed", "attempt_failed", "first_token", "finished");
  private static final Literal[] TRUTH_WORDS = {Literal.of("false"), Literal.of("true")};
  private static final Literal[] PREFIX_PARTS = {
    Literal.of("{\"block_tokens\":"),
    Literal.of(",\"blocks\":"),
    Literal.of(",\"sample_rate\":"),
    Literal.of(",\"hashes_b64\":\""),
    Literal.of("\"}")
  };

  private static final Type[] TYPES = Type.values();
  private static final Outcome[] OUTCOMES = Outcome.values();

  // Their places as constants, as compilers do not trust what is in an enum's objects.
  private static final int EVENT_TIME_MS = RequestField.EVENT_TIME_MS.ordinal();
  private static final int REQUEST_ID = RequestField.REQUEST_ID.ordinal();
  private static final int ROUTER = RequestField.ROUTER.ordinal();
  private static final int ROUTER_START_MS = RequestField.ROUTER_START_MS.ordinal();
  private static final int EVENTS_DROPPED = RequestField.EVENTS_DROPPED.ordinal();
  private static final int MODEL = RequestField.MODEL.ordinal();
  private static final int POLICY = RequestField.POLICY.ordinal();
  private static final int REPLICA = RequestField.REPLICA.ordinal();
  private static final int ATTEMPT = RequestField.ATTEMPT.ordinal();
  private static final int STREAM = RequestField.STREAM.ordinal();
  private static final int PROMPT_TOKENS = RequestField.PROMPT_TOKENS.ordinal();
  private static final int CHOSEN = RequestField.CHOSEN_CACHED_TOKENS.ordinal();
  private static final int BEST = RequestField.BEST_CACHED_TOKENS.ordinal();
  private static final int ADMISSIBLE = RequestField.BEST_ADMISSIBLE_CACHED_TOKENS.ordinal();
  private static final int SEEN_TOKENS = RequestField.SEEN_TOKENS.ordinal();
  private static final int BACKLOG_TOKENS = RequestField.BACKLOG_TOKENS.ordinal();
  private static final int TTFT_US = RequestField.TTFT_US.ordinal();
  private static final int UPSTREAM_TTFT_US = RequestField.UPSTREAM_TTFT_US.ordinal();
  private static final int OUTCOME = RequestField.OUTCOME.ordinal();
  private static final int CACHED_TOKENS = RequestField.CACHED_TOKENS.ordinal();
  private static final int E2E_US = RequestField.E2E_US.ordinal();

  private static final long USED =
      bits(
          EVENT_TIME_MS,
          ROUTER_START_MS,
          EVENTS_DROPPED,
          ATTEMPT,
          STREAM,
          PROMPT_TOKENS,
          CHOSEN,
          BEST,
          ADMISSIBLE,
          SEEN_TOKENS,
          BACKLOG_TOKENS,
          TTFT_US,
          UPSTREAM_TTFT_US,
          OUTCOME,
          CACHED_TOKENS,
          E2E_US);

  private final long[] numbers = new long[FIELDS];
  private final int[] from = new int[FIELDS];
  private final int[] to = new int[FIELDS];

  private static Literal[] words(String... words) {
    return Arrays.stream(words).map(word -> Literal.of(word + '"')).toArray(Literal[]::new);
  }

  private static long bits(int... places) {
    return Arrays.stream(places).mapToLong(place -> 1L << place).reduce(0, (a, b) -> a | b);
  }

  /** Moves over the type of an event and returns its place, or −1. */
  static int readType(ByteCursor cursor) {
    return word(TYPE_WORDS, cursor);
  }

  /** Forgets all values. */
  void clear() {
    Arrays.fill(numbers, RequestFigures.UNKNOWN);
    Arrays.fill(from, 0);
    Arrays.fill(to, 0);
  }

  /** The same values, which change on their own. */
  RequestValues copy() {
    RequestValues copy = new RequestValues();
    System.arraycopy(numbers, 0, copy.numbers, 0, FIELDS);
    System.arraycopy(from, 0, copy.from, 0, FIELDS);
    System.arraycopy(to, 0, copy.to, 0, FIELDS);
    return copy;
  }

  /** Whether anything is made of a field's number. */
  static boolean isUsed(RequestField field) {
    return (USED & field.bit()) != 0;
  }

  /** The number that a field holds. */
  long number(RequestField field) {
    return numbers[field.ordinal()];
  }

  /** Notes a number. */
  void setNumber(int field, long value) {
    numbers[field] = value;
  }

  /** Notes where a text lies. */
  void setText(int field, int textFrom, int textTo) {
    from[field] = textFrom;
    to[field] = textTo;
  }

  /** Notes that a field is null. */
  void setNull(int field) {
    numbers[field] = RequestFigures.UNKNOWN;
    from[field] = 0;
    to[field] = 0;
  }

  /**
   * Moves over the value of a field and notes it.
   *
   * @param nullable whether it may be null
   * @return false if it is not as plain as that
   */
  boolean read(RequestField field, boolean nullable, ByteCursor cursor) {
    int at = field.ordinal();
    // Null where it may not be is left to the codec too.
    if (nullable && cursor.skipNull()) {
      setNull(at);
      return true;
    }
    return switch (field.form()) {
      case TIME, MEASURE, INT -> readNumber(at, field.form().limit(), cursor);
      case VERSION ->
          readNumber(at, WarmpathRecord.VERSION, cursor) && numbers[at] == WarmpathRecord.VERSION;
      case TEXT -> readText(at, cursor);
      case TRUTH -> readTruth(at, cursor);
      case OUTCOME -> (numbers[at] = word(OUTCOME_WORDS, cursor)) >= 0;
      case PREFIX -> skipPrefix(cursor);
      case TYPE -> false;
    };
  }

  private boolean readNumber(int at, long limit, ByteCursor cursor) {
    numbers[at] = cursor.number(limit);
    return numbers[at] != ByteCursor.NO_NUMBER;
  }

  private boolean readText(int at, ByteCursor cursor) {
    if (!cursor.skip('"')) {
      return false;
    }
    from[at] = cursor.at();
    if (!cursor.skipText()) {
      return false;
    }
    to[at] = cursor.at();
    return cursor.skip('"');
  }

  private boolean readTruth(int at, ByteCursor cursor) {
    boolean no = cursor.skip(TRUTH_WORDS[0]);
    numbers[at] = no ? 0 : 1;
    return no || cursor.skip(TRUTH_WORDS[1]);
  }

  /** Moves over a word of a list and returns its place there, or −1. */
  private static int word(Literal[] words, ByteCursor cursor) {
    if (!cursor.skip('"')) {
      return -1;
    }
    for (int i = words.length - 1; i >= 0; i--) {
      if (cursor.skip(words[i])) {
        return i;
      }
    }
    return -1;
  }

  private static boolean skipPrefix(ByteCursor cursor) {
    return cursor.skip(PREFIX_PARTS[0])
        && cursor.number(Integer.MAX_VALUE) >= 0
        && cursor.skip(PREFIX_PARTS[1])
        && cursor.number(Integer.MAX_VALUE) >= 0
        && cursor.skip(PREFIX_PARTS[2])
        && cursor.skipShare()
        && cursor.skip(PREFIX_PARTS[3])
        && cursor.skipBase64OfLongs()
        && cursor.skip(PREFIX_PARTS[4]);
  }

  /** What is counted of the event. */
  RequestFigures figures(byte[] bytes, int type, KeyCache keys, RouterRuns runs) {
    Type read = TYPES[type];
    long outcome = numbers[OUTCOME];
    long dropped = numbers[EVENTS_DROPPED];
    return new RequestFigures(
        read,
        numbers[EVENT_TIME_MS],
        EventFingerprint.of(
            bytes,
            from[REQUEST_ID],
            to[REQUEST_ID] - from[REQUEST_ID],
            read,
            (int) numbers[ATTEMPT]),
        keys.of(
            bytes, from[MODEL], to[MODEL], from[POLICY], to[POLICY], from[REPLICA], to[REPLICA]),
        dropped == 0 ? null : runs.of(bytes, from[ROUTER], to[ROUTER], numbers[ROUTER_START_MS]),
        dropped,
        numbers[STREAM] == 1,
        to[REPLICA] > 0,
        numbers[PROMPT_TOKENS],
        numbers[CHOSEN],
        numbers[BEST],
        numbers[ADMISSIBLE],
        numbers[SEEN_TOKENS],
        numbers[BACKLOG_TOKENS],
        numbers[TTFT_US],
        numbers[UPSTREAM_TTFT_US],
        outcome < 0 ? null : OUTCOMES[(int) outcome],
        numbers[CACHED_TOKENS],
        numbers[E2E_US]);
  }
}
