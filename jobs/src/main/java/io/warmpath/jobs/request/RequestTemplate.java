package io.warmpath.jobs.request;

import java.util.Arrays;

/**
 * How a writer lays out the events of one type, learned from events that were read field by field:
 * the order of the fields, and all bytes between the values that change. What never changed, such
 * as a balancer's name or a null, is taken for one of those bytes, until an event has it otherwise.
 * Most of an event is so compared with what is expected, eight bytes at a time, and only the rest
 * is read.
 *
 * <p>An event either matches all of it, and then has the fields of those before, each once, and
 * none else; or nothing of it is used. Not safe for concurrent use.
 */
final class RequestTemplate {

  /** Their places are asked for, and all but the model change with nearly every event. */
  private static final long ALWAYS_READ =
      RequestField.EVENT_TIME_MS.bit()
          | RequestField.REQUEST_ID.bit()
          | RequestField.ROUTER.bit()
          | RequestField.MODEL.bit()
          | RequestField.POLICY.bit()
          | RequestField.REPLICA.bit();

  private static final int NO_MATCH = -1;
  private static final int NULL_WORD = 0x6c6c756e;
  private static final int NULL_LENGTH = 4;

  /** Bytes of a value that are looked at without asking whether they are there. */
  private static final int ROOM = 2 * Long.BYTES;

  /** What a step does with its value. */
  private enum Reading {
    NUMBER,
    /** A number that nothing is made of: it only has to be one. */
    NUMBER_UNUSED,
    TEXT,
    OTHER
  }

  /** Bytes that must stand before a value, and the value. */
  private static final class Step {

    private final long[] words;
    private final long first;
    private final long last;
    private final int length;
    private final RequestField field;
    private final int place;
    private final Reading reading;
    private final long limit;
    private final boolean nullable;

    // What a value that is one of few was when this was learned, if it has at most eight bytes.
    private final long usual;
    private final long usualMask;
    private final int usualLength;
    private final long usualNumber;

    private Step(byte[] before, RequestField field, boolean nullable, byte[] value, long number) {
      words = new long[before.length / Long.BYTES];
      Arrays.setAll(words, i -> AsciiWord.at(before, i * Long.BYTES));
      first = words[0];
      // It overlaps the word before it, where the bytes are not whole words. There always is one,
      // as no field whose values change has a name of less than four letters.
      last = AsciiWord.at(before, before.length - Long.BYTES);
      length = before.length;
      this.field = field;
      this.place = field.ordinal();
      this.nullable = nullable;
      this.limit = field.form().limit();
      this.reading =
          switch (field.form()) {
            case TIME, MEASURE, INT ->
                RequestValues.isUsed(field) ? Reading.NUMBER : Reading.NUMBER_UNUSED;
            case TEXT -> Reading.TEXT;
            default -> Reading.OTHER;
          };
      boolean isShort = field.form().isOneOfFew() && value.length <= Long.BYTES;
      usualLength = isShort ? value.length : 0;
      usualMask = isShort ? AsciiWord.mask(value.length) : 0;
      // Where there is none, no word has these bits.
      usual = isShort ? AsciiWord.at(Arrays.copyOf(value, Long.BYTES), 0) : -1;
      usualNumber = number;
    }

    /** Whether the bytes stand in the record; it must reach as far as they do. */
    private boolean isAt(byte[] record, int at) {
      int lastAt = at + length - Long.BYTES;
      if (((AsciiWord.at(record, at) ^ first) | (AsciiWord.at(record, lastAt) ^ last)) != 0) {
        return false;
      }
      for (int i = 1; i < words.length; i++) {
        if (AsciiWord.at(record, at + i * Long.BYTES) != words[i]) {
          return false;
        }
      }
      return true;
    }
  }

  private final byte[] example;
  private final FieldPlaces places;
  private final long changing;
  private final Step[] steps;
  private final byte[] end;
  private final RequestValues values;

  private RequestTemplate(
      byte[] example, FieldPlaces places, long changing, long nullable, RequestValues values) {
    this.example = example;
    this.places = places;
    this.changing = changing;
    this.values = values;
    Step[] made = new Step[places.count()];
    int size = 0;
    int from = 0;
    for (int i = 0; i < places.count(); i++) {
      RequestField field = places.field(i);
      if ((changing & field.bit()) != 0) {
        byte[] before = Arrays.copyOfRange(example, from, places.from(i));
        byte[] value = Arrays.copyOfRange(example, places.from(i), places.to(i));
        made[size++] =
            new Step(before, field, (nullable & field.bit()) != 0, value, values.number(field));
        from = places.to(i);
      }
    }
    steps = Arrays.copyOf(made, size);
    end = Arrays.copyOfRange(example, from, example.length);
  }

  /**
   * What is learned of an event.
   *
   * @param record the event, which was read
   * @param places its fields
   * @param nullable those that may be null
   * @param values what they hold
   */
  static RequestTemplate of(
      byte[] record, FieldPlaces places, long nullable, RequestValues values) {
    return new RequestTemplate(record, places.copy(), ALWAYS_READ, nullable, values.copy());
  }

  /**
   * What is known after one more event; null if its fields are others, or in another order.
   *
   * @param record the event, which was read
   */
  RequestTemplate and(byte[] record, FieldPlaces of, long nullable, RequestValues read) {
    if (!places.hasFieldsOf(of)) {
      return null;
    }
    long differing = places.differing(example, of, record);
    return new RequestTemplate(record, of.copy(), changing | differing, nullable, read.copy());
  }

  /** What the fields of the event hold that matched last. */
  RequestValues values() {
    return values;
  }

  /** Whether a record is laid out like this; if so, {@link #values} are its own. */
  boolean matches(byte[] record, ByteCursor cursor) {
    int at = 0;
    for (Step step : steps) {
      int valueAt = at + step.length;
      if (valueAt > record.length || !step.isAt(record, at)) {
        return false;
      }
      boolean hasRoom = valueAt + ROOM <= record.length;
      if (!hasRoom) {
        at = other(record, valueAt, step, cursor);
      } else if (step.reading == Reading.NUMBER || step.reading == Reading.NUMBER_UNUSED) {
        at = number(record, valueAt, step);
      } else if (step.reading == Reading.TEXT) {
        at = text(record, valueAt, step, cursor);
      } else {
        at = oneOfFew(record, valueAt, step, cursor);
      }
      if (at == NO_MATCH) {
        return false;
      }
    }
    return Arrays.equals(record, at, record.length, end, 0, end.length);
  }

  private int number(byte[] record, int at, Step step) {
    long word = AsciiWord.at(record, at);
    int digits = AsciiWord.digits(word);
    if (digits == 0) {
      return nothing(word, at, step);
    }
    boolean isLong = digits == Long.BYTES;
    if (step.reading == Reading.NUMBER_UNUSED && !isLong) {
      // No limit is below seven digits.
      return digits > 1 && (byte) word == '0' ? NO_MATCH : at + digits;
    }
    long value = AsciiWord.value(word, digits);
    if (isLong) {
      long next = AsciiWord.at(record, at + Long.BYTES);
      int more = AsciiWord.digits(next);
      if (more == Long.BYTES) {
        return NO_MATCH;
      }
      value = value * ByteCursor.powerOfTen(more) + AsciiWord.value(next, more);
      digits += more;
    }
    boolean padded = digits > 1 && (byte) word == '0';
    if (padded || value > step.limit) {
      return NO_MATCH;
    }
    values.setNumber(step.place, value);
    return at + digits;
  }

  private int text(byte[] record, int at, Step step, ByteCursor cursor) {
    long word = AsciiWord.at(record, at);
    if ((byte) word != '"') {
      return nothing(word, at, step);
    }
    int from = at + 1;
    int to = from;
    long ends = AsciiWord.endsOfText(AsciiWord.at(record, to));
    while (ends == 0) {
      to += Long.BYTES;
      if (to + Long.BYTES > record.length) {
        return other(record, at, step, cursor);
      }
      ends = AsciiWord.endsOfText(AsciiWord.at(record, to));
    }
    to += AsciiWord.firstOf(ends);
    if (record[to] != '"') {
      return NO_MATCH;
    }
    values.setText(step.place, from, to);
    return to + 1;
  }

  private int nothing(long word, int at, Step step) {
    if (!step.nullable || (int) word != NULL_WORD) {
      return NO_MATCH;
    }
    values.setNull(step.place);
    return at + NULL_LENGTH;
  }

  private int oneOfFew(byte[] record, int at, Step step, ByteCursor cursor) {
    if ((AsciiWord.at(record, at) & step.usualMask) == step.usual) {
      values.setNumber(step.place, step.usualNumber);
      return at + step.usualLength;
    }
    return other(record, at, step, cursor);
  }

  private int other(byte[] record, int at, Step step, ByteCursor cursor) {
    cursor.begin(record, at);
    return values.read(step.field, step.nullable, cursor) ? cursor.at() : NO_MATCH;
  }
}
