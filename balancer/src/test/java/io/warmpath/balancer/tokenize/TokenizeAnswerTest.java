package io.warmpath.balancer.tokenize;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.buffer.Unpooled;
import io.warmpath.balancer.fixture.FakeEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenizeAnswerTest {

  private static final int MOST = 8;

  @Test
  void readsTheAnswerOfVllmWhereverItIsCut() throws IOException {
    String answer = FakeEngine.told(0, 151_643, Integer.MAX_VALUE);
    for (int cut = 0; cut <= answer.length(); cut++) {
      assertArrayEquals(
          new int[] {0, 151_643, Integer.MAX_VALUE},
          read(answer.substring(0, cut), answer.substring(cut)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"tokens\":[1,4294967295]}",
        " {\"tokens\" : [ 1 , 4294967295 ] , \"count\" : 2 } \n",
        "{\"other\":{\"tokens\":[9],\"count\":7},\"tokens\":[1,4294967295],\"count\":2}",
        "{\"token_strs\":[\"a\",\"b\"],\"count\":2,\"tokens\":[1,4294967295],\"more\":[[{}]]}",
      })
  void fieldsThatItDoesNotKnowDoNotMatter(String answer) throws IOException {
    assertArrayEquals(new int[] {1, -1}, read(answer));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "[]",
        "5",
        "null",
        "[1,2]",
        "{\"count\":2}",
        "{\"tokens\":2}",
        "{\"tokens\":{\"a\":1}}",
        "{\"tokens\":[\"1\"]}",
        "{\"tokens\":[1.5]}",
        "{\"tokens\":[-1]}",
        "{\"tokens\":[4294967296]}",
        "{\"tokens\":[99999999999999999999]}",
        "{\"tokens\":[[1]]}",
        "{\"tokens\":[null]}",
        "{\"tokens\":[1],\"count\":2}",
        "{\"tokens\":[1]",
        "{\"tokens\":[1]} {}",
        "{\"tokens\":[1]}]",
        "{\"tokens\":[1,2,3,4,5,6,7,8,9]}",
        "<html>502</html>",
      })
  void whatIsNoSuchAnswerIsRefused(String answer) {
    IOException refusal = assertThrows(IOException.class, () -> read(answer));
    assertFalse(refusal instanceof java.io.EOFException);
  }

  @Test
  void nothingLongIsKept() {
    String text = "a".repeat(1 << 20);
    assertThrows(IOException.class, () -> read("{\"error\":\"", text, "\",\"tokens\":[1]}"));
    assertThrows(IOException.class, () -> read("[".repeat(1000)));
  }

  private static int[] read(String... parts) throws IOException {
    TokenizeAnswer answer = new TokenizeAnswer(MOST);
    for (String part : parts) {
      answer.read(Unpooled.copiedBuffer(part, StandardCharsets.UTF_8));
    }
    return answer.tokens().toArray();
  }
}
