package io.warmpath.balancer.sse;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.FastThreadLocal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A streamed answer on its way through: takes bytes as they come, gives back those to forward, and
 * notes tokens, usage and errors on the way. What it gives back is byte for byte what came, cut
 * between events, so that an answer that breaks off can still be ended by a whole event. An event
 * without end is held up to a bound and then forwarded as it comes.
 */
public final class CompletionStream {

  private static final int MAX_EVENT_BYTES = 1 << 20;
  private static final byte[] DONE = "[DONE]".getBytes(StandardCharsets.US_ASCII);

  /** Hears of tokens as they pass. */
  public interface Listener {
    /** Once, at the first generated token of any kind. */
    void firstToken();

    /** Once, at the first content token. */
    void firstContent();
  }

  private static final FastThreadLocal<byte[]> SCRATCH =
      new FastThreadLocal<>() {
        @Override
        protected byte[] initialValue() {
          return new byte[64 * 1024];
        }
      };

  private final SseDecoder decoder = new SseDecoder(MAX_EVENT_BYTES);
  private final CompletionJson chunk = new CompletionJson();
  private final UsageChunk usageChunk;
  private final Listener listener;

  /** Start of an event whose end has not come. */
  private ByteBuf held;

  /** Whether the start of the current event went out already, because it is so long. */
  private boolean passing;

  /** Whether an event or comment came to its end, or bytes went out before it did. */
  private boolean begun;

  private TokenUsage usage = TokenUsage.UNKNOWN;
  private long tokenChunks;
  private boolean content;
  private boolean done;
  private boolean error;

  public CompletionStream(UsageChunk usageChunk, Listener listener) {
    this.usageChunk = usageChunk;
    this.listener = listener;
  }

  /** Takes bytes, which it releases, and gives back those to forward, perhaps none. */
  public ByteBuf read(ByteBuf in, ByteBufAllocator allocator) {
    try {
      int length = in.readableBytes();
      byte[] bytes = scratch(length);
      in.getBytes(in.readerIndex(), bytes, 0, length);
      return forward(in, bytes, length, allocator);
    } finally {
      in.release();
    }
  }

  private ByteBuf forward(ByteBuf in, byte[] bytes, int length, ByteBufAllocator allocator) {
    ByteBuf out = Unpooled.EMPTY_BUFFER;
    int runFrom = 0;
    int blockFrom = 0;
    int blockTo;
    while ((blockTo = decoder.next(bytes, blockFrom, length)) >= 0) {
      boolean withhold = inspect() && usageChunk == UsageChunk.WITHHOLD && !passing;
      if (withhold) {
        out = join(out, slice(in, runFrom, blockFrom));
        dropHeld();
        runFrom = blockTo;
      } else if (held != null) {
        out = join(out, held);
        held = null;
      }
      passing = false;
      begun = true;
      blockFrom = blockTo;
    }
    out = join(out, slice(in, runFrom, blockFrom));
    return blockFrom == length ? out : join(out, hold(in, blockFrom, length, allocator));
  }

  /** Keeps the start of an event, or gives it back to forward once it is too long to keep. */
  private ByteBuf hold(ByteBuf in, int from, int to, ByteBufAllocator allocator) {
    if (passing) {
      return slice(in, from, to);
    }
    if (held == null) {
      held = allocator.buffer(to - from);
    }
    held.writeBytes(in, in.readerIndex() + from, to - from);
    if (held.readableBytes() <= MAX_EVENT_BYTES) {
      return Unpooled.EMPTY_BUFFER;
    }
    passing = true;
    begun = true;
    ByteBuf all = held;
    held = null;
    return all;
  }

  /** Notes what the event says; true if it is the chunk with nothing but the usage. */
  private boolean inspect() {
    if (!decoder.hasEvent()) {
      return false;
    }
    error |= "error".equals(decoder.name());
    byte[] data = decoder.data();
    int from = decoder.dataFrom();
    int to = decoder.dataTo();
    if (Arrays.equals(data, from, to, DONE, 0, DONE.length)) {
      done = true;
      return false;
    }
    chunk.read(data, from, to);
    error |= chunk.error();
    if (chunk.usage() != null) {
      usage = chunk.usage();
    }
    if (chunk.token()) {
      sawToken();
    }
    return chunk.usageOnly();
  }

  private void sawToken() {
    if (tokenChunks++ == 0) {
      listener.firstToken();
    }
    if (!content && chunk.content()) {
      content = true;
      listener.firstContent();
    }
  }

  /** The stream came to its regular end: gives back what is left to forward. */
  public ByteBuf finish() {
    ByteBuf rest = held == null ? Unpooled.EMPTY_BUFFER : held;
    held = null;
    return rest;
  }

  /** The stream broke off: forgets the event that was not complete. */
  public void abandon() {
    dropHeld();
  }

  /** Whether an event is open on the client's side, so that only a blank line ends it. */
  public boolean eventOpen() {
    return passing;
  }

  /** The last usage that came. */
  public TokenUsage usage() {
    return usage;
  }

  /** Chunks with tokens: at most the number of tokens, equal to it with most engines. */
  public long tokenChunks() {
    return tokenChunks;
  }

  /** Whether the first event or comment is complete. */
  public boolean begun() {
    return begun;
  }

  /** Whether {@code [DONE]} came. */
  public boolean done() {
    return done;
  }

  /** Whether an error object or error event came. */
  public boolean error() {
    return error;
  }

  /** Comment lines so far. */
  public int comments() {
    return decoder.comments();
  }

  private void dropHeld() {
    if (held != null) {
      held.release();
      held = null;
    }
  }

  private static ByteBuf slice(ByteBuf in, int from, int to) {
    return from == to
        ? Unpooled.EMPTY_BUFFER
        : in.retainedSlice(in.readerIndex() + from, to - from);
  }

  private static ByteBuf join(ByteBuf first, ByteBuf second) {
    if (!first.isReadable()) {
      return second;
    }
    return second.isReadable() ? Unpooled.wrappedBuffer(first, second) : first;
  }

  private static byte[] scratch(int length) {
    byte[] bytes = SCRATCH.get();
    if (bytes.length >= length) {
      return bytes;
    }
    return new byte[length];
  }
}
