package io.warmpath.schemas.codec;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Whether bytes are UTF-8. Jackson's own reading lets overlong forms and encoded surrogates pass
 * and guesses UTF-16 and UTF-32 from the first bytes.
 */
final class Utf8 {

  private static final int BYTE_ORDER_MARK = 0xEF;

  private Utf8() {}

  /** True for well-formed UTF-8 without NUL among the first bytes and without byte-order mark. */
  static boolean isValid(byte[] bytes) {
    if (looksLikeWiderEncoding(bytes)) {
      return false;
    }
    return isAscii(bytes) || decodes(bytes);
  }

  private static boolean looksLikeWiderEncoding(byte[] bytes) {
    return bytes[0] == 0
        || (bytes[0] & 0xFF) == BYTE_ORDER_MARK
        || (bytes.length > 1 && bytes[1] == 0);
  }

  private static boolean isAscii(byte[] bytes) {
    for (byte b : bytes) {
      if (b < 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean decodes(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
