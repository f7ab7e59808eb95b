package io.warmpath.balancer.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.warmpath.balancer.sse.CompletionStream;
import io.warmpath.balancer.sse.TokenUsage;
import io.warmpath.balancer.upstream.Replica;
import java.util.function.BooleanSupplier;

/** What the client gets to see of one request's answer, and what was read in it on the way. */
final class ClientAnswer {

  private static final int MULTIPLE_CHOICES = 300;
  private static final String EVENT_STREAM = "text/event-stream";
  private static final String JSON = "application/json";

  /** Parts up to this size are copied into one buffer; larger ones cost less by themselves. */
  private static final int COPIED_BYTES = 8 * 1024;

  /** So much is written at once, so that the channel knows what its client has not taken. */
  private static final int GATHERED_BYTES = 32 * 1024;

  private final Channel channel;
  private final UpstreamRequest request;
  private final boolean keepAlive;
  private AnswerReader reader = BodyReader.opaque();
  private int status;

  /** A head that is kept back until the answer has shown that it is none of an error. */
  private HttpResponse heldHead;

  private ByteBuf heldBytes = Unpooled.EMPTY_BUFFER;

  /** A head that goes out next, with the rest of the answer if that is there by then. */
  private HttpResponse nextHead;

  /**
   * What goes out next of the body: one read of a stream brings many events, each a part of its
   * own.
   */
  private ByteBuf gathered = Unpooled.EMPTY_BUFFER;

  /** Whether {@link #gathered} is a buffer of this class's own, to which parts can be added. */
  private boolean copied;

  /**
   * @param keepAlive whether the client's connection is used again
   */
  ClientAnswer(Channel channel, UpstreamRequest request, boolean keepAlive) {
    this.channel = channel;
    this.request = request;
    this.keepAlive = keepAlive;
  }

  /**
   * Forwards the replica's own head, without what belongs to its connection.
   *
   * @param hold asked, of a stream, whether its head is to wait for the first event
   */
  void begin(
      HttpResponse head,
      String policy,
      Replica replica,
      CompletionStream.Listener listener,
      BooleanSupplier hold) {
    status = head.status().code();
    reader = reader(head.headers(), listener);
    HttpHeaders headers = head.headers();
    HeaderRules.removeHopByHop(headers);
    mark(headers, policy, replica);
    if (reader instanceof StreamReader) {
      // Its length is not known before its end: the usage may go, an error may come.
      headers.remove(HttpHeaderNames.CONTENT_LENGTH);
    }
    boolean measured = headers.contains(HttpHeaderNames.CONTENT_LENGTH);
    if (!measured && hasBody() && request.clientTakesChunks()) {
      headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
    }
    head.setProtocolVersion(HttpVersion.HTTP_1_1);
    heldHead = head;
    if (reader.begun() || !hold.getAsBoolean()) {
      release();
    }
  }

  private AnswerReader reader(HttpHeaders headers, CompletionStream.Listener listener) {
    String type = headers.get(HttpHeaderNames.CONTENT_TYPE, "");
    if (!headers.get(HttpHeaderNames.CONTENT_ENCODING, "identity").equalsIgnoreCase("identity")) {
      return BodyReader.opaque();
    }
    if (type.regionMatches(true, 0, EVENT_STREAM, 0, EVENT_STREAM.length())) {
      return new StreamReader(new CompletionStream(request.usageChunk(), listener));
    }
    return type.regionMatches(true, 0, JSON, 0, JSON.length())
        ? BodyReader.json()
        : BodyReader.opaque();
  }

  private boolean hasBody() {
    return status != HttpResponseStatus.NO_CONTENT.code()
        && status != HttpResponseStatus.NOT_MODIFIED.code();
  }

  private void mark(HttpHeaders headers, String policy, Replica replica) {
    headers.set(HeaderRules.REQUEST_ID, request.requestId());
    headers.set(HeaderRules.POLICY, policy);
    if (replica != null) {
      headers.set(HeaderRules.REPLICA, replica.name());
    }
    if (!keepAlive) {
      headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
  }

  /** Forwards a part of the body, which it releases; it goes out with {@link #flush}. */
  void pass(ByteBuf content) {
    ByteBuf bytes = reader.read(content, channel.alloc());
    if (heldHead == null) {
      gather(bytes);
      return;
    }
    heldBytes = bytes;
    if (reader.begun() && !failedAtOnce()) {
      release();
    }
  }

  /** Whether nothing of the answer has gone out. */
  boolean held() {
    return heldHead != null;
  }

  /** Whether the answer began with an error, and nothing of it has gone out. */
  boolean failedAtOnce() {
    return heldHead != null && reader.error() && reader.tokenChunks() == 0;
  }

  /** Lets out what is held; no other replica can be tried after that. */
  void release() {
    request.forgetBody();
    nextHead = heldHead;
    heldHead = null;
    gather(heldBytes);
    heldBytes = Unpooled.EMPTY_BUFFER;
  }

  /** Forgets an answer of which nothing went out, so that another can take its place. */
  void discard() {
    abandon();
    reader = BodyReader.opaque();
    status = 0;
  }

  /** Whether the body itself says that it is complete, where its framing does not. */
  boolean saysDone() {
    return reader.saysDone();
  }

  /** Sends what was forwarded. */
  void flush() {
    writeNext();
    channel.flush();
  }

  /**
   * The body is complete.
   *
   * @return done when all of it has gone out
   */
  ChannelFuture end(HttpHeaders trailers) {
    if (heldHead != null) {
      release();
    }
    gather(reader.finish());
    return writeLast(trailers);
  }

  /**
   * Ends a body of which a part went out: a stream with an error event, and any other so that it
   * cannot be taken for complete.
   *
   * @return done when all of it has gone out; null if the client's connection is closed with it
   */
  ChannelFuture breakOff(String json) {
    reader.abandon();
    ByteBuf event = status < MULTIPLE_CHOICES ? reader.errorEvent(json) : null;
    if (event == null) {
      flush();
      channel.close();
      return null;
    }
    gather(event);
    return writeLast(EmptyHttpHeaders.INSTANCE);
  }

  /** Nobody is there to read the rest. */
  void abandon() {
    reader.abandon();
    heldHead = null;
    nextHead = null;
    heldBytes.release();
    heldBytes = Unpooled.EMPTY_BUFFER;
    takeGathered().release();
  }

  /** A whole answer of the balancer's own. */
  FullHttpResponse error(HttpResponseStatus code, String json, String policy, Replica replica) {
    status = code.code();
    FullHttpResponse response = ClientHandler.error(code, json);
    mark(response.headers(), policy, replica);
    return response;
  }

  /** Status that the client saw, 0 for none. */
  int status() {
    return status;
  }

  /** Usage that the answer told. */
  TokenUsage usage() {
    return reader.usage();
  }

  /** Chunks with generated tokens that passed. */
  long tokenChunks() {
    return reader.tokenChunks();
  }

  /** Whether the body told of an error, whatever the status says. */
  boolean error() {
    return reader.error();
  }

  /** Adds a part, which it releases, to what goes out next. */
  private void gather(ByteBuf part) {
    int length = part.readableBytes();
    if (length == 0) {
      part.release();
    } else if (!gathered.isReadable()) {
      gathered = part;
    } else if (length > COPIED_BYTES || gathered.readableBytes() + length > GATHERED_BYTES) {
      writeNext();
      gathered = part;
    } else {
      copy(part, length);
    }
  }

  private void copy(ByteBuf part, int length) {
    if (!copied) {
      ByteBuf first = gathered;
      gathered = channel.alloc().directBuffer(2 * (first.readableBytes() + length));
      gathered.writeBytes(first);
      first.release();
      copied = true;
    }
    gathered.writeBytes(part);
    part.release();
  }

  private ByteBuf takeGathered() {
    ByteBuf taken = gathered;
    gathered = Unpooled.EMPTY_BUFFER;
    copied = false;
    return taken;
  }

  private void writeNext() {
    if (nextHead != null) {
      channel.write(nextHead, channel.voidPromise());
      nextHead = null;
    }
    if (gathered.isReadable()) {
      channel.write(new DefaultHttpContent(takeGathered()), channel.voidPromise());
    }
  }

  private ChannelFuture writeLast(HttpHeaders trailers) {
    return channel.writeAndFlush(last(trailers));
  }

  private HttpObject last(HttpHeaders trailers) {
    if (nextHead != null) {
      HttpResponse head = nextHead;
      nextHead = null;
      return new DefaultFullHttpResponse(
          HttpVersion.HTTP_1_1, head.status(), takeGathered(), head.headers(), trailers);
    }
    return gathered.isReadable() || !trailers.isEmpty()
        ? new DefaultLastHttpContent(takeGathered(), trailers)
        : LastHttpContent.EMPTY_LAST_CONTENT;
  }
}
