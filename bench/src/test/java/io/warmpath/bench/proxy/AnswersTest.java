package io.warmpath.bench.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What clients read of what upstreams write. */
class AnswersTest {

  private final List<Long> times = new ArrayList<>();
  private final ChunkTimes reader = new ChunkTimes(times::add);
  private long bodyBytes;

  private void read(byte[] bytes) throws IOException {
    MessageReader messages =
        new MessageReader(
            new MessageReader.Listener() {
              @Override
              public void body(byte[] in, int from, int to) {
                bodyBytes += to - from;
                reader.read(in, from, to);
              }

              @Override
              public void complete() {}
            });
    messages.read(bytes, 0, bytes.length);
  }

  @ParameterizedTest
  @EnumSource(names = {"JSON", "STREAM"})
  void aWholeAnswerIsTakenForWhole(AnswerForm form) throws IOException {
    read(Answers.whole(form));
    assertTrue(Answers.isWhole(form, 0, bodyBytes));
    assertFalse(Answers.isWhole(form, 0, bodyBytes - 1));
    assertEquals(List.of(), times);
  }

  @Test
  void timesComeOutAsTheyWerePutIn() throws IOException {
    List<Long> written = List.of(7L, 1_234_567_890_123_456_789L);
    ByteBuffer stream = ByteBuffer.allocate(8192).put(Answers.pacedBegin());
    ByteBuffer chunk = Answers.timedChunk();
    for (long time : written) {
      Answers.setTime(chunk, time);
      stream.put(chunk);
    }
    stream.put(Answers.pacedEnd()).flip();
    byte[] bytes = new byte[stream.remaining()];
    stream.get(bytes);
    read(bytes);
    assertEquals(written, times);
    assertTrue(Answers.isWhole(AnswerForm.PACED, written.size(), bodyBytes));
    assertFalse(Answers.isWhole(AnswerForm.PACED, written.size() + 1, bodyBytes));
  }
}
