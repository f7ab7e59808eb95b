package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.warmpath.balancer.proxy.RequestBody.Added;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestBodyTest {

  private static final int MAX_BODY = 1 << 20;

  private final BodyMemory memory = new BodyMemory();

  @ParameterizedTest
  @ValueSource(longs = {-1, 100, 100_000, MAX_BODY})
  void holdsNoMoreThanAFewTimesWhatCame(long announced) {
    RequestBody body = body(announced, MAX_BODY);
    assertEquals(0, memory.held());
    for (int came = 1; came <= 100; came++) {
      assertEquals(Added.KEPT, append(body, 1));
      assertTrue(memory.held() <= 4 * 1024, memory.held() + " bytes for " + came);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 8192, 100_000})
  void keepsWhatCame(int piece) {
    for (long announced : new long[] {-1, 50_000, 300_000}) {
      RequestBody body = body(announced, MAX_BODY);
      byte[] sent = new byte[300_000];
      for (int i = 0; i < sent.length; i++) {
        sent[i] = (byte) (i * 31);
      }
      for (int from = 0; from < sent.length; from += piece) {
        int length = Math.min(piece, sent.length - from);
        assertEquals(Added.KEPT, body.append(Unpooled.wrappedBuffer(sent, from, length)));
      }
      assertArrayEquals(sent, Arrays.copyOf(body.bytes(), body.length()));
      assertEquals(body.bytes().length, memory.held());
      body.free();
      body.free();
      assertEquals(0, memory.held());
    }
  }

  @Test
  void anAnnouncedLengthIsTakenExactly() {
    RequestBody body = body(300_000, MAX_BODY);
    assertEquals(Added.KEPT, append(body, 100_000));
    assertEquals(Added.KEPT, append(body, 200_000));
    assertEquals(300_000, memory.held());
  }

  @Test
  void isNoLongerThanAllowed() {
    RequestBody body = body(-1, MAX_BODY);
    assertEquals(Added.KEPT, append(body, MAX_BODY));
    assertEquals(Added.TOO_LARGE, append(body, 1));
    assertEquals(MAX_BODY, memory.held());
  }

  @Test
  void allTogetherAreNoLongerThanAllowed() {
    RequestBody first = body(60_000, 100_000);
    RequestBody second = body(60_000, 100_000);
    assertEquals(Added.KEPT, append(first, 60_000));
    assertEquals(Added.NO_MEMORY, append(second, 60_000));
    assertEquals(60_000, memory.held());
    first.free();
    assertEquals(Added.KEPT, append(second, 60_000));
  }

  private RequestBody body(long announced, long maxBuffered) {
    Limits limits = new Limits(MAX_BODY, 4096, 100, 9, 0, 9, maxBuffered, 9);
    return new RequestBody(limits, announced, memory);
  }

  private static Added append(RequestBody body, int bytes) {
    return body.append(Unpooled.wrappedBuffer(new byte[bytes]));
  }
}
