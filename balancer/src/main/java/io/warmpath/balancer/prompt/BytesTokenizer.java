package io.warmpath.balancer.prompt;

import io.warmpath.routing.prompt.TokenBuffer;
import io.warmpath.routing.prompt.Tokenizer;
import java.nio.charset.StandardCharsets;

/** Every four UTF-8 bytes of a text make a token, and so do those left at its end. */
final class BytesTokenizer implements Tokenizer {

  private static final int TOKEN_BYTES = Integer.BYTES;

  @Override
  public String name() {
    return "bytes";
  }

  @Override
  public void encode(String text, TokenBuffer out) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int from = 0; from < bytes.length; from += TOKEN_BYTES) {
      int token = 0;
      int to = Math.min(bytes.length, from + TOKEN_BYTES);
      for (int i = from; i < to; i++) {
        token |= (bytes[i] & 0xff) << (8 * (i - from));
      }
      out.add(token);
    }
  }

  @Override
  public String decode(int[] tokens, int from, int to) {
    byte[] bytes = new byte[(to - from) * TOKEN_BYTES];
    int length = 0;
    for (int i = from; i < to; i++) {
      for (int token = tokens[i]; token != 0; token >>>= 8) {
        bytes[length++] = (byte) token;
      }
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
