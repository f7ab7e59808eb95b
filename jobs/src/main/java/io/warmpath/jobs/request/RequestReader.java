package io.warmpath.jobs.request;

import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.jobs.request.RequestFigures.Type;
import io.warmpath.schemas.Require;
import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what is counted of a request event straight from its bytes, as it is by far the most
 * frequent record.
 *
 * <p>It takes only what it is sure of: the fields of the contract, each once, with plain values.
 * Anything else, a field that it does not know, an escape, white space, a value out of range, it
 * leaves to the codec. So the codec decides on all that is unusual, and the two cannot disagree on
 * what is refused. Not safe for concurrent use.
 */
public final class RequestReader {

  private static final Type[] TYPES = Type.values();
  private static final RequestField[] FIELDS = RequestField.values();
  private static final Literal OPENING = Literal.of("{\"type\":");
  private static final Outcome[] OUTCOMES = Outcome.values();
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

  private final long[] carried = new long[TYPES.length];
  private final long[] required = new long[TYPES.length];

  /** By type and field, the field that followed it last time. */
  private final int[][] next = new int[TYPES.length][FIELDS.length];

  private final ByteCursor cursor = new ByteCursor();
  private final KeyCache keys = new KeyCache();

  private final long[] numbers = new long[FIELDS.length];
  private final int[] from = new int[FIELDS.length];
  private final int[] to = new int[FIELDS.length];
  private byte[] bytes;
  private int type;

  private byte[] lastRouter = {};
  private long lastRouterStartMs;
  private String lastRouterRun;

  public RequestReader() {
    for (Type each : TYPES) {
      carried[each.ordinal()] = RequestField.carriedBy(each);
      required[each.ordinal()] = RequestField.carriedBy(each) & ~RequestField.nullableIn(each);
      for (int i = 0; i < FIELDS.length; i++) {
        next[each.ordinal()][i] = Math.min(i + 1, FIELDS.length - 1);
      }
    }
  }

  private static Literal[] words(String... words) {
    return Arrays.stream(words).map(word -> Literal.of(word + '"')).toArray(Literal[]::new);
  }

  /**
   * What is counted of the event.
   *
   * @throws io.warmpath.schemas.codec.InvalidRecordException if the bytes are no request event
   */
  public RequestFigures read(byte[] record) {
    RequestFigures figures = readPlain(record);
    return figures == null ? RequestFigures.of(Codecs.REQUEST_EVENT.decode(record)) : figures;
  }

  /** The same, or null where the codec must be asked. */
  RequestFigures readPlain(byte[] record) {
    if (record == null || record.length > Codecs.REQUEST_EVENT.maxBytes()) {
      return null;
    }
    bytes = record;
    cursor.begin(record);
    if (!cursor.skip(OPENING) || !readType()) {
      return null;
    }
    long seen = RequestField.TYPE.bit();
    int last = RequestField.TYPE.ordinal();
    Arrays.fill(numbers, RequestFigures.UNKNOWN);
    Arrays.fill(from, 0);
    Arrays.fill(to, 0);
    while (!cursor.skip('}')) {
      RequestField field = fieldAfter(last);
      if (field == null || (carried[type] & ~seen & field.bit()) == 0 || !readValue(field)) {
        return null;
      }
      seen |= field.bit();
      last = field.ordinal();
    }
    return cursor.isAtEnd() && (required[type] & ~seen) == 0 ? figures() : null;
  }

  private boolean readType() {
    type = word(TYPE_WORDS);
    return type >= 0;
  }

  private RequestField fieldAfter(int last) {
    int[] nextOfType = next[type];
    RequestField expected = FIELDS[nextOfType[last]];
    if (cursor.skip(expected.opening())) {
      return expected;
    }
    if (!cursor.skip(',') || !cursor.skip('"')) {
      return null;
    }
    int nameFrom = cursor.at();
    if (!cursor.skipText()) {
      return null;
    }
    RequestField field = RequestField.named(bytes, nameFrom, cursor.at());
    if (field == null || !cursor.skip('"') || !cursor.skip(':')) {
      return null;
    }
    nextOfType[last] = field.ordinal();
    return field;
  }

  private boolean readValue(RequestField field) {
    int at = field.ordinal();
    // Null where it may not be is left to the codec too.
    if ((required[type] & field.bit()) == 0 && cursor.skipNull()) {
      return true;
    }
    return switch (field.form()) {
      case TIME -> readNumber(at, Require.MAX_TIME_MS);
      case MEASURE -> readNumber(at, Require.MAX_MEASURE);
      case INT -> readNumber(at, Integer.MAX_VALUE);
      case VERSION ->
          readNumber(at, WarmpathRecord.VERSION) && numbers[at] == WarmpathRecord.VERSION;
      case TEXT -> readText(at);
      case TRUTH -> readTruth(at);
      case OUTCOME -> (numbers[at] = word(OUTCOME_WORDS)) >= 0;
      case PREFIX -> skipPrefix();
      case TYPE -> false;
    };
  }

  private boolean readNumber(int at, long limit) {
    numbers[at] = cursor.number(limit);
    return numbers[at] != ByteCursor.NO_NUMBER;
  }

  private boolean readText(int at) {
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

  private boolean readTruth(int at) {
    boolean no = cursor.skip(TRUTH_WORDS[0]);
    numbers[at] = no ? 0 : 1;
    return no || cursor.skip(TRUTH_WORDS[1]);
  }

  /** Moves over a word of a list and returns its place there, or −1. */
  private int word(Literal[] words) {
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

  private boolean skipPrefix() {
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

  private RequestFigures figures() {
    Type read = TYPES[type];
    int idFrom = from[RequestField.REQUEST_ID.ordinal()];
    int idLength = to[RequestField.REQUEST_ID.ordinal()] - idFrom;
    long outcome = number(RequestField.OUTCOME);
    return new RequestFigures(
        read,
        number(RequestField.EVENT_TIME_MS),
        EventFingerprint.of(bytes, idFrom, idLength, read, (int) number(RequestField.ATTEMPT)),
        key(),
        number(RequestField.EVENTS_DROPPED) == 0 ? null : routerRun(),
        number(RequestField.EVENTS_DROPPED),
        number(RequestField.STREAM) == 1,
        to[RequestField.REPLICA.ordinal()] > 0,
        number(RequestField.PROMPT_TOKENS),
        number(RequestField.CHOSEN_CACHED_TOKENS),
        number(RequestField.BEST_CACHED_TOKENS),
        number(RequestField.BEST_ADMISSIBLE_CACHED_TOKENS),
        number(RequestField.SEEN_TOKENS),
        number(RequestField.BACKLOG_TOKENS),
        number(RequestField.TTFT_US),
        number(RequestField.UPSTREAM_TTFT_US),
        outcome < 0 ? null : OUTCOMES[(int) outcome],
        number(RequestField.CACHED_TOKENS),
        number(RequestField.E2E_US));
  }

  private long number(RequestField field) {
    return numbers[field.ordinal()];
  }

  private PaneKey key() {
    int model = RequestField.MODEL.ordinal();
    int policy = RequestField.POLICY.ordinal();
    int replica = RequestField.REPLICA.ordinal();
    return keys.of(
        bytes, from[model], to[model], from[policy], to[policy], from[replica], to[replica]);
  }

  private String routerRun() {
    int routerFrom = from[RequestField.ROUTER.ordinal()];
    int routerTo = to[RequestField.ROUTER.ordinal()];
    long startMs = number(RequestField.ROUTER_START_MS);
    if (lastRouterRun == null
        || startMs != lastRouterStartMs
        || !Arrays.equals(lastRouter, 0, lastRouter.length, bytes, routerFrom, routerTo)) {
      lastRouter = Arrays.copyOfRange(bytes, routerFrom, routerTo);
      lastRouterStartMs = startMs;
      lastRouterRun =
          RequestFigures.routerRun(new String(lastRouter, StandardCharsets.US_ASCII), startMs);
    }
    return lastRouterRun;
  }
}
