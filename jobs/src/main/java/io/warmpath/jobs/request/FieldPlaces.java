package io.warmpath.jobs.request;

import java.util.Arrays;

/** The fields of an event in their order, and where the value of each lies. */
final class FieldPlaces {

  private final RequestField[] fields;
  private final int[] from;
  private final int[] to;
  private int count;

  FieldPlaces() {
    this(new RequestField[RequestField.values().length], new int[0], new int[0]);
  }

  private FieldPlaces(RequestField[] fields, int[] from, int[] to) {
    this.fields = fields;
    this.from = Arrays.copyOf(from, fields.length);
    this.to = Arrays.copyOf(to, fields.length);
  }

  /** Forgets all. */
  void clear() {
    count = 0;
  }

  /** Adds a field behind the others; at most each one once. */
  void add(RequestField field, int valueFrom, int valueTo) {
    fields[count] = field;
    from[count] = valueFrom;
    to[count++] = valueTo;
  }

  int count() {
    return count;
  }

  RequestField field(int i) {
    return fields[i];
  }

  /** Where the value of the {@code i}-th field begins. */
  int from(int i) {
    return from[i];
  }

  /** Where it ends. */
  int to(int i) {
    return to[i];
  }

  /** The same, which changes on its own. */
  FieldPlaces copy() {
    FieldPlaces copy = new FieldPlaces(fields.clone(), from, to);
    copy.count = count;
    return copy;
  }

  /** Whether the other event has the same fields in the same order. */
  boolean hasFieldsOf(FieldPlaces other) {
    return Arrays.equals(fields, 0, count, other.fields, 0, other.count);
  }

  /**
   * The fields whose values differ, as a set of their bits.
   *
   * @param record the event that this is of
   * @param other another event of the same fields
   */
  long differing(byte[] record, FieldPlaces of, byte[] other) {
    long differing = 0;
    for (int i = 0; i < count; i++) {
      if (!Arrays.equals(record, from[i], to[i], other, of.from[i], of.to[i])) {
        differing |= fields[i].bit();
      }
    }
    return differing;
  }
}
