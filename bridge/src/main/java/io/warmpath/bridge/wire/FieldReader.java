package io.warmpath.bridge.wire;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.msgpack.core.MessageFormat;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.ValueType;

/** Reads the fields of events within bounds, whatever a message claims to hold. */
final class FieldReader {

  /** Longest name of a field, type or medium. */
  private static final int MAX_NAME_BYTES = 128;

  /** Longest name of an adapter, salt or other key. */
  private static final int MAX_KEY_BYTES = 4096;

  /** Most elements of a list. */
  private static final int MAX_ELEMENTS = 1 << 20;

  /** Most keys of one block. */
  private static final int MAX_KEYS = 64;

  /** Highest KV-cache group. */
  private static final int MAX_GROUP = 63;

  private static final int MIN_HASH_BYTES = 8;
  private static final int MAX_HASH_BYTES = 64;

  private final int messageBytes;
  private final MessageUnpacker in;

  /**
   * @param messageBytes length of the whole message, which no list in it can exceed
   */
  FieldReader(MessageUnpacker in, int messageBytes) {
    this.in = in;
    this.messageBytes = messageBytes;
  }

  /** Whether nothing stands there; it is read then. */
  boolean isNil() throws IOException {
    return in.tryUnpackNil();
  }

  /** A name of the format itself. */
  String name() throws IOException {
    return text(MAX_NAME_BYTES);
  }

  /** A name that users chose. */
  String key() throws IOException {
    return text(MAX_KEY_BYTES);
  }

  /** Where blocks lie. */
  String medium() throws IOException {
    return text(MAX_NAME_BYTES).toLowerCase(Locale.ROOT);
  }

  private String text(int maxBytes) throws IOException {
    require(ValueType.STRING, "text");
    int length = in.unpackRawStringHeader();
    if (length > maxBytes) {
      throw new MalformedEventException("a text of " + length + " bytes");
    }
    return new String(in.readPayload(length), java.nio.charset.StandardCharsets.UTF_8);
  }

  /** A whole number within bounds. */
  int number(int least, int most) throws IOException {
    long value = wholeNumber();
    if (value < least || value > most) {
      throw new MalformedEventException("a number out of bounds: " + value);
    }
    return (int) value;
  }

  /** Any whole number of 64 bits, unsigned ones as they lie in memory. */
  long wholeNumber() throws IOException {
    MessageFormat format = in.getNextFormat();
    if (format.getValueType() != ValueType.INTEGER) {
      throw new MalformedEventException("no whole number");
    }
    return format == MessageFormat.UINT64 ? in.unpackBigInteger().longValue() : in.unpackLong();
  }

  int group() throws IOException {
    return number(0, MAX_GROUP);
  }

  /** One block hash. */
  long hash() throws IOException {
    if (in.getNextFormat().getValueType() != ValueType.BINARY) {
      return wholeNumber();
    }
    int length = in.unpackBinaryHeader();
    if (length < MIN_HASH_BYTES || length > MAX_HASH_BYTES) {
      throw new MalformedEventException("a hash of " + length + " bytes");
    }
    byte[] bytes = in.readPayload(length);
    long hash = 0;
    for (int i = length - Long.BYTES; i < length; i++) {
      hash = hash << Byte.SIZE | bytes[i] & 0xFF;
    }
    return hash;
  }

  /** A list of block hashes. */
  long[] hashes() throws IOException {
    long[] hashes = new long[listSize()];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = hash();
    }
    return hashes;
  }

  /** A list of token ids. */
  int[] tokens() throws IOException {
    int[] tokens = new int[listSize()];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = number(0, Integer.MAX_VALUE);
    }
    return tokens;
  }

  /** Keys block by block; null where no block has any. */
  ExtraKeys extraKeys() throws IOException {
    int blocks = listSize();
    List<List<String>> all = null;
    for (int i = 0; i < blocks; i++) {
      if (!isNil()) {
        if (all == null) {
          all = new ArrayList<>(blocks);
          for (int before = 0; before < i; before++) {
            all.add(List.of());
          }
        }
        all.add(keys());
      } else if (all != null) {
        all.add(List.of());
      }
    }
    return all == null ? null : new ExtraKeys(all);
  }

  private List<String> keys() throws IOException {
    int size = listSize();
    if (size > MAX_KEYS) {
      throw new MalformedEventException(size + " keys of one block");
    }
    List<String> keys = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      if (in.getNextFormat().getValueType() == ValueType.STRING) {
        keys.add(key());
      } else {
        in.skipValue();
        keys.add(ExtraKeys.NO_TEXT);
      }
    }
    return keys;
  }

  /** Size of a list that begins here. */
  private int listSize() throws IOException {
    require(ValueType.ARRAY, "list");
    int size = in.unpackArrayHeader();
    // Each element takes a byte at least.
    if (size > MAX_ELEMENTS || size > messageBytes) {
      throw new MalformedEventException("a list of " + size);
    }
    return size;
  }

  private void require(ValueType type, String what) throws IOException {
    if (in.getNextFormat().getValueType() != type) {
      throw new MalformedEventException("no " + what);
    }
  }
}
