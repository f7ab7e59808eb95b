package io.warmpath.routing.prompt;

import java.nio.charset.StandardCharsets;

/**
 * The tokenizer of the modelled replicas: up to four UTF-8 bytes make a token, and a token ends
 * before each space and after each line break. It needs no vocabulary, loses nothing, gives about
 * the token counts of real tokenizers on English text and code, and the tokens of a text do not
 * change when more text follows after a line break or a space.
 *
 * <p>A token id holds its bytes little-endian; unused high bytes are 0. A NUL in the text is held
 * as 0xFF, a byte that UTF-8 never uses. Whole texts are decoded as they were; a range of tokens
 * may begin or end within a character, which then decodes to the replacement character.
 */
public final class QuadTokenizer implements Tokenizer {

  /** Bytes a token at most. */
  private static final int TOKEN_BYTES = Integer.BYTES;

  /** Held in place of NUL, which would look like an unused byte. */
  private static final int NUL = 0xff;

  @Override
  public String name() {
    return "quad";
  }

  @Override
  public void encode(String text, TokenBuffer out) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int token = 0;
    int length = 0;
    for (byte b : bytes) {
      if (length > 0 && (length == TOKEN_BYTES || b == ' ')) {
        out.add(token);
        token = 0;
        length = 0;
      }
      token |= (b == 0 ? NUL : b & 0xff) << (8 * length++);
      if (b == '\n') {
        out.add(token);
        token = 0;
        length = 0;
      }
    }
    if (length > 0) {
      out.add(token);
    }
  }

  @Override
  public String decode(int[] tokens, int from, int to) {
    byte[] bytes = new byte[(to - from) * TOKEN_BYTES];
    int length = 0;
    for (int i = from; i < to; i++) {
      for (int token = tokens[i]; token != 0; token >>>= 8) {
        int held = token & 0xff;
        bytes[length++] = (byte) (held == NUL ? 0 : held);
      }
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
