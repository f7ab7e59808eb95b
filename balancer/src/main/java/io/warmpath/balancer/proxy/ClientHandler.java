package io.warmpath.balancer.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.function.Supplier;

/**
 * One client's connection: collects a request, hands it to an {@link Exchange}, and takes the next
 * one when that is over. It keeps reading meanwhile, so that it sees a client leave; what comes in
 * early waits, up to a bound.
 */
final class ClientHandler extends ChannelInboundHandlerAdapter {

  private static final int MAX_WAITING = 64;

  private static final String RETRY_SECONDS = "1";

  private final Supplier<ProxyContext> contexts;
  private final SlowClientGuard guard;
  private final ArrayDeque<Object> waiting = new ArrayDeque<>();
  private ProxyContext context;
  private ChannelHandlerContext channel;
  private Alarm alarm;
  private HttpRequest head;
  private RequestBody body;
  private Exchange exchange;
  private String holder;
  private boolean admitted;

  /** Whether the client may not have sent all of its request. */
  private boolean receiving;

  private boolean preparing;
  private boolean closing;
  private boolean draining;

  /**
   * @param contexts what holds for a request that comes now
   */
  ClientHandler(Supplier<ProxyContext> contexts) {
    this.contexts = contexts;
    this.context = contexts.get();
    this.guard = new SlowClientGuard(context.receiveTimeouts(), this::refuseTooSlow);
  }

  /** What bounds the client's time to send; it belongs before the decoder. */
  SlowClientGuard guard() {
    return guard;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    channel = added;
    alarm = new Alarm(added.channel().eventLoop());
  }

  /** Rings for the request that is served. */
  Alarm alarm() {
    return alarm;
  }

  @Override
  public void channelRead(ChannelHandlerContext source, Object message) {
    if (closing) {
      ReferenceCountUtil.release(message);
    } else if (busy()) {
      waiting.add(message);
      if (waiting.size() >= MAX_WAITING) {
        channel.channel().config().setAutoRead(false);
      }
    } else {
      take((HttpObject) message);
    }
  }

  private boolean busy() {
    return exchange != null || preparing;
  }

  private void take(HttpObject message) {
    DecoderResult result = message.decoderResult();
    if (result.isFailure()) {
      ReferenceCountUtil.release(message);
      receiving = true;
      refuse(malformed(result.cause()), "The request is not valid HTTP.", "bad_http");
      return;
    }
    if (message instanceof HttpRequest request) {
      begin(request);
    }
    if (message instanceof HttpContent content) {
      collect(content);
    }
  }

  private static HttpResponseStatus malformed(Throwable cause) {
    return cause instanceof TooLongFrameException
        ? HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
        : HttpResponseStatus.BAD_REQUEST;
  }

  private void begin(HttpRequest request) {
    guard.headReceived();
    receiving = true;
    context = contexts.get();
    head = request;
    if (!admit(request)) {
      return;
    }
    long announced = HttpUtil.getContentLength(request, -1L);
    if (announced > context.limits().maxBodyBytes()) {
      refuseTooLarge();
      return;
    }
    body = new RequestBody(context.limits(), announced, context.bodies());
    if (HttpUtil.is100ContinueExpected(request)) {
      channel.writeAndFlush(
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
    }
  }

  /** Refuses who has no key and what is too much, before anything is kept of it. */
  private boolean admit(HttpRequest request) {
    if (request.headers().size() > context.limits().maxHeaders()) {
      refuse(
          HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
          "There are more than " + context.limits().maxHeaders() + " headers.",
          "too_many_headers");
      return false;
    }
    if (!context.keys().open()) {
      holder = context.keys().holder(request.headers().get(HttpHeaderNames.AUTHORIZATION));
      if (holder == null) {
        refuse(HttpResponseStatus.UNAUTHORIZED, "Incorrect API key provided.", "invalid_api_key");
        return false;
      }
    }
    Admission.Verdict verdict = context.admission().admit(holder, context.limits());
    admitted = verdict == Admission.Verdict.ADMITTED;
    if (verdict == Admission.Verdict.FULL) {
      refuse(HttpResponseStatus.SERVICE_UNAVAILABLE, "There are too many requests.", "overloaded");
    } else if (verdict == Admission.Verdict.HOLDER_FULL) {
      refuse(
          HttpResponseStatus.TOO_MANY_REQUESTS,
          "This key has too many requests open.",
          "rate_limit_exceeded");
    }
    return admitted;
  }

  private void collect(HttpContent content) {
    try {
      if (head == null || closing) {
        return;
      }
      RequestBody.Added added = body.append(content.content());
      if (added != RequestBody.Added.KEPT) {
        refuse(added);
        return;
      }
    } finally {
      content.release();
    }
    if (content instanceof LastHttpContent) {
      HttpRequest request = head;
      head = null;
      receiving = false;
      preparing = true;
      guard.received();
      new Reception(context, this, channel, request, body, holder).receive();
    }
  }

  private void refuseTooSlow() {
    receiving = true;
    refuse(HttpResponseStatus.REQUEST_TIMEOUT, "The request took too long.", "request_timeout");
  }

  private void refuse(RequestBody.Added added) {
    if (added == RequestBody.Added.TOO_LARGE) {
      refuseTooLarge();
    } else {
      refuse(
          HttpResponseStatus.SERVICE_UNAVAILABLE,
          "There are too many long requests.",
          "buffers_full");
    }
  }

  private void refuseTooLarge() {
    refuse(
        HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
        "The body is larger than " + context.limits().maxBodyBytes() + " bytes.",
        "body_too_large");
  }

  /** The request is understood and on its way. */
  void started(Exchange begun) {
    preparing = false;
    exchange = begun;
    if (!channel.channel().isActive()) {
      begun.clientGone();
    }
  }

  /** Answers with an error before any replica was asked. */
  void refuse(HttpResponseStatus status, String message, String code, boolean close) {
    boolean later =
        status.equals(HttpResponseStatus.SERVICE_UNAVAILABLE)
            || status.equals(HttpResponseStatus.TOO_MANY_REQUESTS);
    boolean clients = status.codeClass() == HttpStatusClass.CLIENT_ERROR;
    String type = later ? "overloaded_error" : clients ? "invalid_request_error" : "server_error";
    FullHttpResponse response = refusal(status, message, type, code);
    if (later) {
      response.headers().set(HttpHeaderNames.RETRY_AFTER, RETRY_SECONDS);
    } else if (status.equals(HttpResponseStatus.UNAUTHORIZED)) {
      response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
    }
    respond(response, close);
  }

  /** The same before the request was received: what it has of a body is not kept. */
  private void refuse(HttpResponseStatus status, String message, String code) {
    refuse(status, message, code, true);
  }

  private FullHttpResponse refusal(
      HttpResponseStatus status, String message, String type, String code) {
    context.recorder().metrics().refused(code);
    preparing = false;
    head = null;
    return error(status, ErrorBody.json(message, type, null, code));
  }

  /** A response with an error as its body. */
  static FullHttpResponse error(HttpResponseStatus status, String json) {
    ByteBuf content = Unpooled.wrappedBuffer(json.getBytes(StandardCharsets.UTF_8));
    FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, content);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON);
    response.headers().set(HttpHeaderNames.CONTENT_LENGTH, content.readableBytes());
    return response;
  }

  /** Sends a whole response and takes the next request, or closes. */
  void respond(FullHttpResponse response, boolean close) {
    if (close) {
      response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    over(channel.writeAndFlush(response), close);
  }

  /**
   * The request was answered: takes the next one, or closes.
   *
   * @param written done when the answer has gone out
   */
  void over(ChannelFuture written, boolean close) {
    exchange = null;
    preparing = false;
    release();
    if (close) {
      closing = true;
      guard.closeAfter(written, receiving || !waiting.isEmpty());
      return;
    }
    guard.answered(written);
    drain();
  }

  private void release() {
    if (admitted) {
      admitted = false;
      context.admission().over(holder);
    }
    holder = null;
    if (body != null) {
      body.free();
      body = null;
    }
  }

  /** Takes what waited; one level deep, however many requests the client sent ahead. */
  private void drain() {
    if (draining) {
      return;
    }
    draining = true;
    Object next;
    while (!busy() && !closing && (next = waiting.poll()) != null) {
      take((HttpObject) next);
    }
    draining = false;
    if (waiting.size() < MAX_WAITING) {
      channel.channel().config().setAutoRead(true);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext source) {
    if (exchange != null) {
      exchange.clientWritable(channel.channel().isWritable());
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext source) {
    closing = true;
    release();
    waiting.forEach(ReferenceCountUtil::release);
    waiting.clear();
    if (exchange != null) {
      exchange.clientGone();
      exchange = null;
    }
    alarm.close();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext source, Throwable cause) {
    source.close();
  }
}
