package io.warmpath.balancer.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.warmpath.balancer.sse.CompletionStream;
import io.warmpath.balancer.upstream.ConnectFailure;
import io.warmpath.balancer.upstream.LoopConnections;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.balancer.upstream.ReplicaHealth;
import io.warmpath.balancer.upstream.UpstreamConnection;
import io.warmpath.balancer.upstream.UpstreamListener;
import io.warmpath.schemas.request.Outcome;
import java.time.Duration;
import java.util.Set;

/**
 * One request on its way to a replica and its answer on the way back, on one event loop:
 *
 * <pre>
 * CONNECTING ──connected──▶ WAITING ──head──▶ ANSWERING ──last content──▶ OVER
 *     ▲                        │                  │
 *     └── another replica ◀────┴─── nothing went ─┴── failed: error event or close ──▶ OVER
 *                                   out yet
 * </pre>
 */
final class Exchange implements UpstreamListener, CompletionStream.Listener {

  private static final int BAD_REQUEST = 400;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVER_ERROR = 500;
  private static final int UNAVAILABLE = 503;
  private static final Set<Integer> RETRIED = Set.of(TOO_MANY_REQUESTS, 502, UNAVAILABLE, 504);

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
  private final ClientAnswer answer;

  private State state = State.CONNECTING;
  private Replica replica;
  private ReplicaHealth.Attempt attempt;
  private UpstreamConnection upstream;
  private int retries;
  private boolean staleRetried;
  private boolean upstreamKeepAlive;
  private boolean endsWithConnection;

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
    this.deadlines =
        new Deadlines(client.alarm(), context.timeouts(), receivedNanos, this::timedOut);
    this.answer = new ClientAnswer(channel, request, keepAlive);
  }

  void start() {
    if (state == State.OVER) {
      return;
    }
    deadlines.begin();
    if (!attempt()) {
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
    attempt = next.health().attempt();
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
    connection.send(request.to(replica, ledger.policy(), ledger.traceparent()));
  }

  @Override
  public void connectFailed(Throwable cause) {
    if (ConnectFailure.isRefusal(cause)) {
      attempt.connectionRefused();
    } else {
      attempt.notReached();
    }
    if (state != State.OVER) {
      failedBeforeAnswer("connect_failed");
    }
  }

  @Override
  public void head(HttpResponse head) {
    ledger.firstByte();
    deadlines.read();
    int code = head.status().code();
    judge(head);
    if (RETRIED.contains(code) && takesRetry()) {
      closeUpstream();
      retry("status_" + code);
      return;
    }
    if (code >= SERVER_ERROR || code == TOO_MANY_REQUESTS) {
      ledger.attemptFailed("status_" + code);
    }
    state = State.ANSWERING;
    upstreamKeepAlive = HttpUtil.isKeepAlive(head);
    endsWithConnection =
        !HttpUtil.isTransferEncodingChunked(head) && !HttpUtil.isContentLengthSet(head);
    answer.begin(head, ledger.policy(), replica, this, this::mayRetry);
  }

  /** What the head says of the replica's health. */
  private void judge(HttpResponse head) {
    int code = head.status().code();
    if (code < SERVER_ERROR && code != TOO_MANY_REQUESTS) {
      if (!request.stream()) {
        // It answers; a stream may yet begin with an error.
        attempt.answering();
      }
      return;
    }
    Duration pause =
        HeaderRules.retryAfter(head.headers(), context.recorder().time().epochMillis());
    if (code == TOO_MANY_REQUESTS || (code == UNAVAILABLE && pause != null)) {
      attempt.refused(pause);
    } else {
      attempt.failed();
    }
  }

  @Override
  public void content(HttpContent content) {
    deadlines.read();
    answer.pass(content.content());
    if (answer.failedAtOnce()) {
      if (takesRetry()) {
        attempt.failed();
        closeUpstream();
        retry("error_in_stream");
        return;
      }
      answer.release();
    }
    if (content instanceof LastHttpContent last) {
      complete(last);
    } else if (!channel.isWritable()) {
      clientWritable(false);
    }
  }

  @Override
  public void readComplete() {
    answer.flush();
  }

  private void complete(LastHttpContent last) {
    if (endsWithConnection && !answer.saysDone()) {
      // Nothing tells a stream that was cut from one that is complete, but its own last word.
      lost(null);
      return;
    }
    ChannelFuture written = answer.end(last.trailingHeaders());
    UpstreamConnection used = upstream;
    upstream = null;
    if (upstreamKeepAlive && !endsWithConnection) {
      used.release();
    } else {
      used.close();
    }
    Outcome outcome = outcome();
    attempt.succeeded();
    finish(outcome);
    client.over(written, !keepAlive);
  }

  private Outcome outcome() {
    int status = answer.status();
    if (status >= SERVER_ERROR || status == TOO_MANY_REQUESTS) {
      return Outcome.UPSTREAM_ERROR;
    }
    if (status >= BAD_REQUEST) {
      return Outcome.REJECTED;
    }
    if (answer.error()) {
      attempt.failed();
      ledger.attemptFailed("error_in_stream");
      return Outcome.UPSTREAM_ERROR;
    }
    return Outcome.OK;
  }

  @Override
  public void lost(Throwable cause) {
    boolean stale = upstream.lostWhileIdle() && !staleRetried;
    closeUpstream();
    if (state == State.WAITING && stale) {
      // The replica closed a kept connection just then: that is no failure of the replica.
      staleRetried = true;
      state = State.CONNECTING;
      connections.connect(replica, this);
    } else if (state == State.WAITING || (state == State.ANSWERING && answer.held())) {
      attempt.failed();
      failedBeforeAnswer("connection_lost");
    } else if (state == State.ANSWERING) {
      attempt.failed();
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

  /** Whether another replica is to be tried; asked once for each failure, since it costs budget. */
  private boolean takesRetry() {
    return mayRetry() && ledger.takeRetry();
  }

  private void failedBeforeAnswer(String reason) {
    if (takesRetry()) {
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
    answer.discard();
    retries++;
    if (!attempt()) {
      unavailable();
    }
  }

  private void unavailable() {
    String json =
        ErrorBody.json(
            "No replica takes requests at the moment.", "overloaded_error", null, "no_replica");
    FullHttpResponse response =
        answer.error(HttpResponseStatus.SERVICE_UNAVAILABLE, json, ledger.policy(), replica);
    response.headers().set(HttpHeaderNames.RETRY_AFTER, "1");
    finish(retries == 0 ? Outcome.REJECTED : Outcome.UPSTREAM_ERROR);
    client.respond(response, !keepAlive);
  }

  private void timedOut(String reason) {
    if (state == State.OVER) {
      return;
    }
    closeUpstream();
    if (state == State.WAITING || !reason.equals(Deadlines.TOTAL)) {
      attempt.failed();
    }
    ledger.attemptFailed(reason);
    String json =
        ErrorBody.json("The replica did not answer in time.", "timeout_error", null, reason);
    if (state == State.ANSWERING && !answer.held()) {
      breakOff(Outcome.TIMEOUT, json);
    } else {
      answerError(HttpResponseStatus.GATEWAY_TIMEOUT, json, Outcome.TIMEOUT);
    }
  }

  private void breakOff(Outcome outcome, String json) {
    ChannelFuture written = answer.breakOff(json);
    finish(outcome);
    if (written != null) {
      client.over(written, !keepAlive);
    }
  }

  private void answerError(HttpResponseStatus code, String json, Outcome outcome) {
    answer.discard();
    FullHttpResponse response = answer.error(code, json, ledger.policy(), replica);
    finish(outcome);
    client.respond(response, !keepAlive);
  }

  /** The client left. */
  void clientGone() {
    if (state == State.OVER) {
      return;
    }
    closeUpstream();
    if (answer.held()) {
      answer.discard();
    } else {
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
    if (attempt != null) {
      attempt.withdrawn();
    }
    ledger.finished(outcome, answer.status(), answer.usage(), answer.tokenChunks());
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
    attempt.answering();
    ledger.firstToken();
  }

  @Override
  public void firstContent() {
    ledger.firstContent();
  }
}
