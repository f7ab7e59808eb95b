package io.warmpath.balancer.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.warmpath.balancer.sse.CompletionStream;
import io.warmpath.balancer.sse.TokenUsage;
import io.warmpath.balancer.upstream.LoopConnections;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.balancer.upstream.UpstreamConnection;
import io.warmpath.balancer.upstream.UpstreamListener;
import io.warmpath.schemas.request.Outcome;

/**
 * One request on its way to a replica and its answer on the way back, on one event loop:
 *
 * <pre>
 * CONNECTING ──connected──▶ WAITING ──head──▶ ANSWERING ──last content──▶ OVER
 *     ▲                        │                  │
 *     └── another replica ◀── failed, nothing     └── failed: error event or close ──▶ OVER
 *                             went out
 * </pre>
 */
final class Exchange implements UpstreamListener, CompletionStream.Listener {

  private static final int MULTIPLE_CHOICES = 300;
  private static final int BAD_REQUEST = 400;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVER_ERROR = 500;

  private enum State {
    CONNECTING,
    WAITING,
    ANSWERING,
    OVER
  }

  private final ProxyContext context;
  private final ClientHandler client;
  private final Channel channel;
  private final LoopConnections connections;
  private final UpstreamRequest request;
  private final Ledger ledger;
  private final boolean keepAlive;
  private final Deadlines deadlines;

  private State state = State.CONNECTING;
  private Replica replica;
  private UpstreamConnection upstream;
  private int retries;
  private boolean staleRetried;
  private int status;
  private boolean upstreamKeepAlive;
  private boolean endsWithConnection;
  private AnswerReader answer;

  Exchange(
      ProxyContext context,
      ClientHandler client,
      Channel channel,
      UpstreamRequest request,
      Ledger ledger,
      long receivedNanos,
      boolean keepAlive) {
    this.context = context;
    this.client = client;
    this.channel = channel;
    this.connections = context.connections().get(channel.eventLoop());
    this.request = request;
    this.ledger = ledger;
    this.keepAlive = keepAlive;
    EventLoop loop = channel.eventLoop();
    this.deadlines = new Deadlines(loop, context.timeouts(), receivedNanos, this::timedOut);
  }

  void start() {
    if (state != State.OVER && !attempt()) {
      unavailable();
    }
  }

  /** Begins an attempt; false if no replica takes it. */
  private boolean attempt() {
    Replica next = ledger.route();
    if (next == null) {
      return false;
    }
    replica = next;
    staleRetried = false;
    state = State.CONNECTING;
    connections.acquire(replica, this);
    return true;
  }

  @Override
  public void connected(UpstreamConnection connection) {
    if (state == State.OVER) {
      connection.close();
      return;
    }
    upstream = connection;
    state = State.WAITING;
    ledger.dispatched();
    deadlines.sent(request.stream());
    connection.send(request.to(replica, ledger.policy()));
  }

  @Override
  public void connectFailed(Throwable cause) {
    replica.health().connectFailed();
    if (state != State.OVER) {
      failedBeforeAnswer("connect_failed");
    }
  }

  @Override
  public void head(HttpResponse head) {
    ledger.firstByte();
    deadlines.read();
    int code = head.status().code();
    boolean unavailable = code == 502 || code == 503 || code == 504;
    if (unavailable && mayRetry()) {
      closeUpstream();
      retry("status_" + code);
      return;
    }
    if (code >= SERVER_ERROR || code == TOO_MANY_REQUESTS) {
      ledger.attemptFailed("status_" + code);
    }
    state = State.ANSWERING;
    status = code;
    upstreamKeepAlive = HttpUtil.isKeepAlive(head);
    endsWithConnection =
        !HttpUtil.isTransferEncodingChunked(head) && !HttpUtil.isContentLengthSet(head);
    answer = reader(head);
    sendHead(head);
  }

  private AnswerReader reader(HttpResponse head) {
    String type = head.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
    boolean plain =
        head.headers()
            .get(HttpHeaderNames.CONTENT_ENCODING, "identity")
            .equalsIgnoreCase("identity");
    if (plain && type.regionMatches(true, 0, "text/event-stream", 0, 17)) {
      return new StreamReader(new CompletionStream(request.usageChunk(), this));
    }
    return plain && type.regionMatches(true, 0, "application/json", 0, 16)
        ? BodyReader.json()
        : BodyReader.opaque();
  }

  /** Forwards the replica's own head, without what belongs to its connection. */
  private void sendHead(HttpResponse head) {
    HttpHeaders headers = head.headers();
    HeaderRules.removeHopByHop(headers);
    mark(headers);
    boolean stream = answer instanceof StreamReader;
    if (stream) {
      // Its length is not known before its end: the usage may go, an error may come.
      headers.remove(HttpHeaderNames.CONTENT_LENGTH);
    }
    boolean measured = headers.contains(HttpHeaderNames.CONTENT_LENGTH);
    if (!measured && hasBody() && request.clientTakesChunks()) {
      headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
    }
    head.setProtocolVersion(HttpVersion.HTTP_1_1);
    channel.write(head, channel.voidPromise());
  }

  private boolean hasBody() {
    return status != HttpResponseStatus.NO_CONTENT.code()
        && status != HttpResponseStatus.NOT_MODIFIED.code();
  }

  private void mark(HttpHeaders headers) {
    headers.set(HeaderRules.REQUEST_ID, request.requestId());
    headers.set(HeaderRules.POLICY, ledger.policy());
    if (replica != null) {
      headers.set(HeaderRules.REPLICA, replica.name());
    }
    if (!keepAlive) {
      headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
  }

  @Override
  public void content(HttpContent content) {
    deadlines.read();
    ByteBuf forward = answer.read(content.content(), channel.alloc());
    if (content instanceof LastHttpContent last) {
      write(forward);
      complete(last);
    } else {
      write(forward);
      if (!channel.isWritable()) {
        clientWritable(false);
      }
    }
  }

  private void write(ByteBuf bytes) {
    if (bytes.isReadable()) {
      channel.write(new DefaultHttpContent(bytes), channel.voidPromise());
    } else {
      bytes.release();
    }
  }

  @Override
  public void readComplete() {
    channel.flush();
  }

  private void complete(LastHttpContent last) {
    if (endsWithConnection && !answer.saysDone()) {
      // Nothing tells a stream that was cut from one that is complete, but its own last word.
      lost(null);
      return;
    }
    write(answer.finish());
    DefaultLastHttpContent end = new DefaultLastHttpContent();
    end.trailingHeaders().add(last.trailingHeaders());
    channel.writeAndFlush(end, channel.voidPromise());
    UpstreamConnection used = upstream;
    upstream = null;
    if (upstreamKeepAlive && !endsWithConnection) {
      used.release();
    } else {
      used.close();
    }
    finish(outcome());
    client.over(!keepAlive);
  }

  private Outcome outcome() {
    if (status >= SERVER_ERROR || status == TOO_MANY_REQUESTS) {
      return Outcome.UPSTREAM_ERROR;
    }
    if (status >= BAD_REQUEST) {
      return Outcome.REJECTED;
    }
    if (answer.error()) {
      ledger.attemptFailed("error_in_stream");
      return Outcome.UPSTREAM_ERROR;
    }
    return Outcome.OK;
  }

  @Override
  public void lost(Throwable cause) {
    boolean stale = upstream.reused() && !upstream.answered() && !staleRetried;
    closeUpstream();
    if (state == State.WAITING && stale) {
      // The replica closed a kept connection just then: that is no failure of the replica.
      staleRetried = true;
      state = State.CONNECTING;
      connections.connect(replica, this);
    } else if (state == State.WAITING) {
      failedBeforeAnswer("connection_lost");
    } else if (state == State.ANSWERING) {
      ledger.attemptFailed("connection_lost");
      breakOff(
          Outcome.UPSTREAM_ERROR,
          ErrorBody.json(
              "The replica was lost before the answer was complete.",
              "upstream_error",
              null,
              "upstream_lost"));
    }
  }

  private boolean mayRetry() {
    return retries < context.maxRetries() && ledger.canRetry();
  }

  private void failedBeforeAnswer(String reason) {
    if (mayRetry()) {
      retry(reason);
      return;
    }
    ledger.attemptFailed(reason);
    answerError(
        HttpResponseStatus.BAD_GATEWAY,
        ErrorBody.json("The replica could not be reached.", "upstream_error", null, reason),
        Outcome.UPSTREAM_ERROR);
  }

  private void retry(String reason) {
    ledger.attemptFailed(reason);
    retries++;
    if (!attempt()) {
      unavailable();
    }
  }

  private void unavailable() {
    String json =
        ErrorBody.json(
            "No replica takes requests at the moment.", "overloaded_error", null, "no_replica");
    FullHttpResponse response = ClientHandler.error(HttpResponseStatus.SERVICE_UNAVAILABLE, json);
    response.headers().set(HttpHeaderNames.RETRY_AFTER, "1");
    Outcome outcome = retries == 0 ? Outcome.REJECTED : Outcome.UPSTREAM_ERROR;
    send(response, outcome);
  }

  private void timedOut(String reason) {
    if (state == State.OVER) {
      return;
    }
    closeUpstream();
    ledger.attemptFailed(reason);
    String json =
        ErrorBody.json("The replica did not answer in time.", "timeout_error", null, reason);
    if (state == State.ANSWERING) {
      breakOff(Outcome.TIMEOUT, json);
    } else {
      answerError(HttpResponseStatus.GATEWAY_TIMEOUT, json, Outcome.TIMEOUT);
    }
  }

  /** Ends an answer of which a part went out. */
  private void breakOff(Outcome outcome, String json) {
    answer.abandon();
    ByteBuf event = status < MULTIPLE_CHOICES ? answer.errorEvent(json) : null;
    if (event != null) {
      write(event);
      channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT, channel.voidPromise());
    }
    finish(outcome);
    if (event != null) {
      client.over(!keepAlive);
    } else {
      // A body that ends early must not look complete.
      channel.flush();
      channel.close();
    }
  }

  private void answerError(HttpResponseStatus code, String json, Outcome outcome) {
    send(ClientHandler.error(code, json), outcome);
  }

  private void send(FullHttpResponse response, Outcome outcome) {
    status = response.status().code();
    mark(response.headers());
    finish(outcome);
    client.respond(response, !keepAlive);
  }

  /** The client left. */
  void clientGone() {
    if (state == State.OVER) {
      return;
    }
    closeUpstream();
    if (answer != null) {
      answer.abandon();
    }
    finish(Outcome.CLIENT_ABORT);
  }

  /** The client takes bytes again, or none for now. */
  void clientWritable(boolean writable) {
    if (upstream == null) {
      return;
    }
    upstream.reading(writable);
    if (!writable) {
      deadlines.paused();
    } else if (state == State.ANSWERING) {
      deadlines.read();
    }
  }

  private void finish(Outcome outcome) {
    state = State.OVER;
    deadlines.cancel();
    TokenUsage usage = answer == null ? TokenUsage.UNKNOWN : answer.usage();
    ledger.finished(outcome, status, usage, answer == null ? 0 : answer.tokenChunks());
  }

  private void closeUpstream() {
    if (upstream != null) {
      upstream.close();
      upstream = null;
    }
  }

  @Override
  public void firstToken() {
    deadlines.firstToken();
    ledger.firstToken();
  }

  @Override
  public void firstContent() {
    ledger.firstContent();
  }
}
