package io.warmpath.balancer.sse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.warmpath.balancer.fixture.RecordedStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CompletionStreamTest {

  private static final ByteBufAllocator ALLOCATOR = UnpooledByteBufAllocator.DEFAULT;
  private static final String ROLE = chunk("{\"role\":\"assistant\",\"content\":\"\"}");
  private static final String USAGE =
      "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2,"
          + "\"prompt_tokens_details\":{\"cached_tokens\":4}}}\n\n";

  /** Plays a stream through a reader and keeps what comes out. */
  private static final class Playback implements CompletionStream.Listener {

    private final CompletionStream stream;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int firstTokens;
    private int firstContents;

    Playback(UsageChunk usageChunk) {
      stream = new CompletionStream(usageChunk, this);
    }

    Playback play(byte[] bytes, IntSupplier pieceSizes) {
      int from = 0;
      while (from < bytes.length) {
        int to = Math.min(bytes.length, from + pieceSizes.getAsInt());
        write(stream.read(Unpooled.copiedBuffer(bytes, from, to - from), ALLOCATOR));
        from = to;
      }
      return this;
    }

    Playback finish() {
      write(stream.finish());
      return this;
    }

    private void write(ByteBuf bytes) {
      byte[] copy = new byte[bytes.readableBytes()];
      bytes.readBytes(copy);
      out.writeBytes(copy);
      bytes.release();
    }

    String text() {
      return out.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void firstToken() {
      firstTokens++;
    }

    @Override
    public void firstContent() {
      firstContents++;
    }
  }

  static List<RecordedStream> recorded() {
    return RecordedStream.all();
  }

  @ParameterizedTest
  @MethodSource("recorded")
  void forwardsRecordedStreamsByteForByte(RecordedStream recorded) {
    for (int size : new int[] {Integer.MAX_VALUE / 2, 1, 7}) {
      byte[] out = play(recorded, () -> size).out.toByteArray();
      assertTrue(Arrays.equals(recorded.bytes(), out), "pieces of " + size);
    }
    Random random = new Random(1);
    byte[] out = play(recorded, () -> 1 + random.nextInt(300)).out.toByteArray();
    assertTrue(Arrays.equals(recorded.bytes(), out), "random pieces");
  }

  @ParameterizedTest
  @MethodSource("recorded")
  void findsWhatRecordedStreamsHold(RecordedStream recorded) {
    for (int size : new int[] {Integer.MAX_VALUE / 2, 1}) {
      Playback playback = play(recorded, () -> size);
      JsonNode expected = recorded.expected();
      assertEquals(expected.path("done").asBoolean(), playback.stream.done());
      assertEquals(!expected.path("error").isNull(), playback.stream.error());
      assertEquals(expected.path("comment_lines").asInt(), playback.stream.comments());
      boolean token = !expected.path("chunks_before_first_token").isNull();
      assertEquals(token ? 1 : 0, playback.firstTokens);
      assertUsage(expected.path("usage"), playback.stream.usage());
    }
  }

  private static void assertUsage(JsonNode expected, TokenUsage usage) {
    if (expected.isNull()) {
      assertEquals(TokenUsage.UNKNOWN, usage);
      return;
    }
    assertEquals(expected.path("prompt").asLong(), usage.promptTokens());
    assertEquals(expected.path("completion").asLong(), usage.completionTokens());
    JsonNode cached = expected.path("cached");
    assertEquals(cached.isNull() ? null : (Long) cached.asLong(), usage.cachedTokens());
  }

  @ParameterizedTest
  @MethodSource("recorded")
  void findsTheFirstTokenInTheRightChunk(RecordedStream recorded) {
    JsonNode expected = recorded.expected().path("chunks_before_first_token");
    CompletionJson chunk = new CompletionJson();
    SseDecoder decoder = new SseDecoder(1 << 20);
    byte[] bytes = recorded.bytes();
    int before = 0;
    int at = 0;
    boolean found = false;
    while (!found && (at = decoder.next(bytes, at, bytes.length)) >= 0) {
      if (decoder.hasEvent()) {
        chunk.read(decoder.data(), decoder.dataFrom(), decoder.dataTo());
        found = chunk.token();
        before += found ? 0 : 1;
      }
    }
    assertEquals(!expected.isNull(), found);
    if (found) {
      assertEquals(expected.asInt(), before);
    }
  }

  @Test
  void withholdsOnlyTheUsageChunk() {
    String rest = ROLE + ": ping\n\n" + chunk("{\"content\":\"a\"}");
    String stream = rest + USAGE + "data: [DONE]\n\n";
    for (int size = 1; size < stream.length() + 1; size++) {
      int pieces = size;
      Playback playback =
          new Playback(UsageChunk.WITHHOLD)
              .play(stream.getBytes(StandardCharsets.UTF_8), () -> pieces)
              .finish();
      assertEquals(rest + "data: [DONE]\n\n", playback.text());
      assertEquals(new TokenUsage(9L, 2L, 4L), playback.stream.usage());
      assertTrue(playback.stream.done());
    }
  }

  @Test
  void forwardsUsageThatComesWithAChoice() {
    String stream = "data: {\"choices\":[{\"delta\":{}}],\"usage\":{\"prompt_tokens\":1}}\n\n";
    assertEquals(stream, through(UsageChunk.WITHHOLD, stream).text());
  }

  @Test
  void countsReasoningAndToolCallsAsTokensButNotAsContent() {
    for (String delta :
        List.of(
            "{\"reasoning_content\":\"x\"}",
            "{\"reasoning\":\"x\"}",
            "{\"tool_calls\":[{\"index\":0}]}",
            "{\"refusal\":\"no\"}")) {
      Playback playback = through(UsageChunk.FORWARD, chunk(delta));
      assertEquals(1, playback.firstTokens, delta);
      assertEquals(0, playback.firstContents, delta);
    }
  }

  @Test
  void countsNoTokenInRolesAndEmptyDeltas() {
    String stream =
        ROLE
            + chunk("{}")
            + chunk("{\"content\":null,\"tool_calls\":[],\"reasoning\":\"\"}")
            + "data: {\"choices\":[]}\n\n"
            + "data: not json\n\n";
    Playback playback = through(UsageChunk.FORWARD, stream);
    assertEquals(0, playback.firstTokens);
    assertEquals(0, playback.stream.tokenChunks());
    assertFalse(playback.stream.error());
  }

  @Test
  void seesErrorsInEventsAndObjects() {
    assertTrue(
        through(UsageChunk.FORWARD, "data: {\"error\":{\"message\":\"m\"}}\n\n").stream.error());
    assertTrue(through(UsageChunk.FORWARD, "event: error\ndata: x\n\n").stream.error());
    assertFalse(through(UsageChunk.FORWARD, "data: {\"error\":null}\n\n").stream.error());
  }

  @Test
  void holdsAnIncompleteEventUntilTheStreamEnds() {
    Playback playback = new Playback(UsageChunk.FORWARD);
    playback.play((ROLE + "data: {\"cho").getBytes(StandardCharsets.UTF_8), () -> 1000);
    assertEquals(ROLE, playback.text());
    assertFalse(playback.stream.eventOpen());
    assertEquals(ROLE + "data: {\"cho", playback.finish().text());
  }

  @Test
  void passesOnAnEventThatIsTooLongToHold() {
    String stream = "data: " + "x".repeat(3 << 20) + "\n\n" + ROLE;
    Playback playback = new Playback(UsageChunk.WITHHOLD);
    playback.play(stream.substring(0, 2 << 20).getBytes(StandardCharsets.UTF_8), () -> 60_000);
    assertTrue(playback.stream.eventOpen());
    playback.play(stream.substring(2 << 20).getBytes(StandardCharsets.UTF_8), () -> 60_000);
    assertFalse(playback.stream.eventOpen());
    assertEquals(stream, playback.finish().text());
  }

  @Test
  void takesNoUsageFromNumbersThatAreNone() {
    String stream =
        "data: {\"choices\":[{}],\"usage\":{\"prompt_tokens\":-3,\"completion_tokens\":1.5,"
            + "\"prompt_tokens_details\":{\"cached_tokens\":123456789012345}}}\n\n";
    TokenUsage usage = through(UsageChunk.FORWARD, stream).stream.usage();
    assertNull(usage.promptTokens());
    assertNull(usage.completionTokens());
    assertNull(usage.cachedTokens());
  }

  private static Playback through(UsageChunk usageChunk, String stream) {
    return new Playback(usageChunk)
        .play(stream.getBytes(StandardCharsets.UTF_8), () -> 1 << 20)
        .finish();
  }

  private static Playback play(RecordedStream recorded, IntSupplier pieceSizes) {
    return new Playback(UsageChunk.FORWARD).play(recorded.bytes(), pieceSizes).finish();
  }

  private static String chunk(String delta) {
    return "data: {\"choices\":[{\"index\":0,\"delta\":" + delta + "}]}\n\n";
  }
}
