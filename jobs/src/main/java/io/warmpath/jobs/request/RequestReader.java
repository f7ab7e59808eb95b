package io.warmpath.jobs.request;

import io.warmpath.jobs.request.RequestFigures.Type;
import io.warmpath.schemas.codec.Codecs;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Reads what is counted of a request event straight from its bytes, as it is by far the most
 * frequent record.
 *
 * <p>It takes only what it is sure of: the fields of the contract, each once, with plain values.
 * Anything else, a field that it does not know, an escape, white space, a value out of range, it
 * leaves to the codec. So the codec decides on all that is unusual, and the two cannot disagree on
 * what is refused.
 *
 * <p>What it has read so, it learns from: an event that is laid out like those before is compared
 * with them rather than read ({@link RequestTemplate}). Not safe for concurrent use.
 */
public final class RequestReader {

  /** So many events of a type must be laid out otherwise, one after the other, to unlearn. */
  static final int PATIENCE = 16;

  private static final Type[] TYPES = Type.values();
  private static final RequestField[] FIELDS = RequestField.values();
  private static final Literal OPENING = Literal.of("{\"type\":");

  /** The types' places by what follows the opening: their first letters differ. */
  private static final long[] TYPE_WORDS = typeWords();

  private final long[] carried = new long[TYPES.length];
  private final long[] required = new long[TYPES.length];

  /** By type and field, the field that followed it last time. */
  private final int[][] next = new int[TYPES.length][FIELDS.length];

  private final RequestTemplate[] templates = new RequestTemplate[TYPES.length];
  private final int[] strangers = new int[TYPES.length];

  private final ByteCursor cursor = new ByteCursor();
  private final RequestValues values = new RequestValues();
  private final FieldPlaces places = new FieldPlaces();
  private final KeyCache keys = new KeyCache();
  private final RouterRuns runs = new RouterRuns();
  private int type;

  public RequestReader() {
    for (Type each : TYPES) {
      carried[each.ordinal()] = RequestField.carriedBy(each);
      required[each.ordinal()] = RequestField.carriedBy(each) & ~RequestField.nullableIn(each);
      for (int i = 0; i < FIELDS.length; i++) {
        next[each.ordinal()][i] = Math.min(i + 1, FIELDS.length - 1);
      }
    }
  }

  private static long[] typeWords() {
    long[] words = new long[TYPES.length];
    for (Type type : TYPES) {
      String word = '"' + type.name().toLowerCase(Locale.ROOT) + "\",";
      words[type.ordinal()] = AsciiWord.at(word.getBytes(StandardCharsets.US_ASCII), 0);
    }
    return words;
  }

  /**
   * What is counted of the event.
   *
   * @throws io.warmpath.schemas.codec.InvalidRecordException if the bytes are no request event
   */
  public RequestFigures read(byte[] record) {
    RequestFigures figures = readLearned(record);
    if (figures == null) {
      figures = readPlain(record);
    }
    return figures == null ? RequestFigures.of(Codecs.REQUEST_EVENT.decode(record)) : figures;
  }

  /** The same, or null where the event is not laid out as those of its type before. */
  RequestFigures readLearned(byte[] record) {
    if (!isOfReadableSize(record)) {
      return null;
    }
    int learned = learnedType(record);
    if (learned < 0 || !templates[learned].matches(record, cursor)) {
      return null;
    }
    strangers[learned] = 0;
    return templates[learned].values().figures(record, learned, keys, runs);
  }

  private static boolean isOfReadableSize(byte[] record) {
    return record != null && record.length <= Codecs.REQUEST_EVENT.maxBytes();
  }

  /** The type that the event seems to have, if events of it are known; else −1. */
  private int learnedType(byte[] record) {
    if (record.length >= 2 * Long.BYTES) {
      long word = AsciiWord.at(record, Long.BYTES);
      for (int i = TYPE_WORDS.length - 1; i >= 0; i--) {
        if (TYPE_WORDS[i] == word && templates[i] != null) {
          return i;
        }
      }
    }
    return -1;
  }

  /** What is counted of the event, or null where the codec must be asked. */
  RequestFigures readPlain(byte[] record) {
    if (!isOfReadableSize(record)) {
      return null;
    }
    cursor.begin(record, 0);
    if (!cursor.skip(OPENING) || !readType()) {
      return null;
    }
    long seen = RequestField.TYPE.bit();
    int last = RequestField.TYPE.ordinal();
    values.clear();
    places.clear();
    while (!cursor.skip('}')) {
      RequestField field = fieldAfter(record, last);
      if (field == null || (carried[type] & ~seen & field.bit()) == 0) {
        return null;
      }
      int valueFrom = cursor.at();
      if (!values.read(field, (required[type] & field.bit()) == 0, cursor)) {
        return null;
      }
      places.add(field, valueFrom, cursor.at());
      seen |= field.bit();
      last = field.ordinal();
    }
    if (!cursor.isAtEnd() || (required[type] & ~seen) != 0) {
      return null;
    }
    learn(record);
    return values.figures(record, type, keys, runs);
  }

  private boolean readType() {
    type = RequestValues.readType(cursor);
    return type >= 0;
  }

  private RequestField fieldAfter(byte[] record, int last) {
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
    RequestField field = RequestField.named(record, nameFrom, cursor.at());
    if (field == null || !cursor.skip('"') || !cursor.skip(':')) {
      return null;
    }
    nextOfType[last] = field.ordinal();
    return field;
  }

  /** A few events of another layout, or of another writer, do not make it forget the known one. */
  private void learn(byte[] record) {
    long nullable = ~required[type];
    RequestTemplate known = templates[type];
    RequestTemplate learned = known == null ? null : known.and(record, places, nullable, values);
    if (learned == null && (known == null || ++strangers[type] > PATIENCE)) {
      learned = RequestTemplate.of(record, places, nullable, values);
    }
    if (learned != null) {
      templates[type] = learned;
      strangers[type] = 0;
    }
  }
}
