package io.warmpath.balancer.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Makes bytes slightly wrong: changed, cut, repeated, or with something in between. */
public final class Mutations {

  private static final int MOST_EDITS = 4;
  private static final int LONGEST_PIECE = 64;

  private static final List<String> TOKENS =
      List.of(
          "\r\n",
          "\r\n\r\n",
          "\n",
          "0\r\n\r\n",
          "FFFFFFFFFFFFFFFFF\r\n",
          "-1",
          "\0",
          "\u00ff\u00fe",
          "content-length: 5\r\n",
          "transfer-encoding: chunked\r\n",
          "connection: close\r\n",
          "expect: 100-continue\r\n",
          "HTTP/1.1 100 Continue\r\n\r\n",
          "data: ",
          "event: error\n",
          "[DONE]",
          "{",
          "\"",
          "\\u12",
          "[[[[[[[[",
          "1e999",
          "\"stream\":true,",
          "\"error\":{},",
          "\"usage\":{\"prompt_tokens\":-1},",
          "\u00ef\u00bb\u00bf");

  private Mutations() {}

  /** A copy with a few edits. */
  public static byte[] mutated(byte[] original, Random random) {
    byte[] bytes = original;
    for (int edits = 1 + random.nextInt(MOST_EDITS); edits > 0; edits--) {
      bytes = edited(bytes, random);
    }
    return bytes;
  }

  /** Noise of a random length. */
  public static byte[] noise(Random random) {
    byte[] bytes = new byte[random.nextInt(2_000)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] edited(byte[] bytes, Random random) {
    int at = random.nextInt(bytes.length + 1);
    int to = Math.min(bytes.length, at + random.nextInt(LONGEST_PIECE));
    return switch (random.nextInt(5)) {
      case 0 ->
          joined(bytes, at, new byte[] {(byte) random.nextInt()}, Math.min(bytes.length, at + 1));
      case 1 -> joined(bytes, at, token(random), at);
      case 2 -> joined(bytes, at, new byte[0], to);
      case 3 -> joined(bytes, to, Arrays.copyOfRange(bytes, at, to), to);
      default -> Arrays.copyOf(bytes, at);
    };
  }

  private static byte[] token(Random random) {
    return TOKENS.get(random.nextInt(TOKENS.size())).getBytes(StandardCharsets.ISO_8859_1);
  }

  /** What stands before one place, something else, and what stands from another place on. */
  private static byte[] joined(byte[] bytes, int before, byte[] between, int from) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + between.length);
    out.write(bytes, 0, before);
    out.writeBytes(between);
    out.write(bytes, from, bytes.length - from);
    return out.toByteArray();
  }
}
