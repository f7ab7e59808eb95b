package io.warmpath.balancer.tokenize;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.warmpath.balancer.request.PromptParts;
import io.warmpath.balancer.upstream.LoopConnections;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.balancer.upstream.UpstreamConnection;
import io.warmpath.balancer.upstream.UpstreamListener;
import io.warmpath.routing.prompt.TokenBuffer;
import java.io.IOException;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One question to a replica's {@code /tokenize}, on one event loop. How it ends says nothing of the
 * replica's health: that is for requests and checks to find out.
 */
final class TokenizeCall implements UpstreamListener {

  /**
   * Why there are no tokens.
   *
   * @param reason in words that quote nothing
   * @param engine whether that is the engine's doing: other questions would fail as well
   */
  record Failure(String reason, boolean engine) {}

  private static final String PATH = "/tokenize";

  /** What an engine says of a prompt that it would not answer either. */
  private static final Set<Integer> REFUSALS = Set.of(400, 413, 422);

  /** What it says of a client's own key: one client must not end the questions of all. */
  private static final Set<Integer> KEY_REFUSALS = Set.of(401, 403, 429);

  private final LoopConnections connections;
  private final Replica replica;
  private final PromptParts parts;
  private final String authorization;
  private final TokenizeAnswer answer;
  private final Consumer<TokenBuffer> answered;
  private final Consumer<Failure> failed;

  private UpstreamConnection upstream;
  private boolean keepAlive;
  private boolean staleRetried;
  private boolean over;

  /**
   * @param authorization the client's header, or null
   * @param answered told the tokens
   * @param failed told why there are none; one of the two is told once
   */
  TokenizeCall(
      LoopConnections connections,
      Replica replica,
      PromptParts parts,
      String authorization,
      TokenizeAnswer answer,
      Consumer<TokenBuffer> answered,
      Consumer<Failure> failed) {
    this.connections = connections;
    this.replica = replica;
    this.parts = parts;
    this.authorization = authorization;
    this.answer = answer;
    this.answered = answered;
    this.failed = failed;
  }

  void start() {
    connections.acquire(replica, this);
  }

  /** Gives up. */
  void cancel() {
    fail("no answer in time");
  }

  @Override
  public void connected(UpstreamConnection connection) {
    if (over) {
      connection.close();
      return;
    }
    upstream = connection;
    connection.send(request());
  }

  private FullHttpRequest request() {
    ByteBuf content = parts.question();
    FullHttpRequest request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1, HttpMethod.POST, replica.target(PATH), content);
    request
        .headers()
        .set(HttpHeaderNames.HOST, replica.authority())
        .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
        .set(HttpHeaderNames.CONTENT_LENGTH, content.readableBytes());
    if (authorization != null) {
      request.headers().set(HttpHeaderNames.AUTHORIZATION, authorization);
    }
    return request;
  }

  @Override
  public void connectFailed(Throwable cause) {
    fail("no connection");
  }

  @Override
  public void head(HttpResponse head) {
    if (!head.status().equals(HttpResponseStatus.OK)) {
      int code = head.status().code();
      boolean engine =
          !REFUSALS.contains(code) && (authorization == null || !KEY_REFUSALS.contains(code));
      fail(new Failure("status " + code, engine));
      return;
    }
    keepAlive =
        HttpUtil.isKeepAlive(head)
            && (HttpUtil.isTransferEncodingChunked(head) || HttpUtil.isContentLengthSet(head));
  }

  @Override
  public void content(HttpContent content) {
    TokenBuffer tokens = read(content);
    if (tokens != null) {
      complete(tokens);
    }
  }

  /** Reads a part of the answer; the tokens once it was the last one, else null. */
  private TokenBuffer read(HttpContent content) {
    try {
      if (!over) {
        answer.read(content.content());
        return content instanceof LastHttpContent ? answer.tokens() : null;
      }
    } catch (IOException | RuntimeException e) {
      // Not the parser's own message, which quotes the answer.
      fail("the answer is no tokenization");
    } finally {
      content.release();
    }
    return null;
  }

  private void complete(TokenBuffer tokens) {
    over = true;
    UpstreamConnection used = upstream;
    upstream = null;
    if (keepAlive) {
      used.release();
    } else {
      used.close();
    }
    answered.accept(tokens);
  }

  @Override
  public void readComplete() {}

  @Override
  public void lost(Throwable cause) {
    boolean stale = upstream != null && upstream.lostWhileIdle() && !staleRetried;
    if (stale && !over) {
      // The replica closed a kept connection just then.
      staleRetried = true;
      upstream = null;
      connections.connect(replica, this);
    } else {
      fail("connection lost");
    }
  }

  private void fail(String reason) {
    fail(new Failure(reason, true));
  }

  private void fail(Failure failure) {
    if (over) {
      return;
    }
    over = true;
    if (upstream != null) {
      upstream.close();
      upstream = null;
    }
    failed.accept(failure);
  }
}
