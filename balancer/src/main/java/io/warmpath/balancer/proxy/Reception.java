package io.warmpath.balancer.proxy;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.warmpath.balancer.prompt.PromptBlocks;
import io.warmpath.balancer.request.BodyEdit;
import io.warmpath.balancer.request.Endpoint;
import io.warmpath.balancer.request.InvalidRequestException;
import io.warmpath.balancer.request.RequestFacts;
import io.warmpath.balancer.tokenize.EngineTokenizer;
import io.warmpath.balancer.tokenize.Question;
import io.warmpath.balancer.trace.RequestTrace;
import io.warmpath.routing.prompt.ContentHash;
import java.util.HexFormat;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Understands a request that was fully received, and starts its exchange. */
final class Reception {

  private static final Logger LOG = LoggerFactory.getLogger(Reception.class);

  /** Bodies up to this size are read on the event loop: that takes less than handing them over. */
  private static final int INLINE_BYTES = 64 * 1024;

  private final ProxyContext context;
  private final ClientHandler client;
  private final ChannelHandlerContext channel;
  private final HttpRequest head;
  private final RequestBody body;
  private final byte[] bytes;
  private final int length;
  private final String holder;
  private final boolean keepAlive;
  private final long receivedNanos;

  /**
   * @param holder whose key the request came with, or null
   */
  Reception(
      ProxyContext context,
      ClientHandler client,
      ChannelHandlerContext channel,
      HttpRequest head,
      RequestBody body,
      String holder) {
    this.context = context;
    this.client = client;
    this.channel = channel;
    this.head = head;
    this.body = body;
    // They are still read by another thread when the client leaves and the body is freed.
    this.bytes = body.bytes();
    this.length = body.length();
    this.holder = holder;
    this.keepAlive = HttpUtil.isKeepAlive(head) && UpstreamRequest.takesChunks(head);
    this.receivedNanos = context.recorder().time().nanos();
  }

  /** Starts the exchange, or answers with an error. */
  void receive() {
    head.setUri(RequestTarget.originForm(head.uri()));
    String path = RequestTarget.path(head.uri());
    Endpoint endpoint = Endpoint.at(path);
    boolean listing = RequestTarget.isListing(path);
    if (endpoint == null && !listing) {
      refuse(HttpResponseStatus.NOT_FOUND, "There is nothing at this path.", "unknown_path");
    } else if (!head.method().equals(listing ? HttpMethod.GET : HttpMethod.POST)) {
      refuse(
          HttpResponseStatus.METHOD_NOT_ALLOWED,
          "This path does not take " + head.method() + ".",
          "unknown_method");
    } else if (listing) {
      ListingLedger ledger = new ListingLedger(context.models().first());
      start(ledger, requestId(), BodyEdit.NONE, false);
    } else if (length <= INLINE_BYTES) {
      understandHere(endpoint);
    } else {
      understandElsewhere(endpoint);
    }
  }

  private void understandHere(Endpoint endpoint) {
    Runnable next;
    try {
      next = understand(endpoint);
    } catch (Error e) {
      refuse(e);
      throw e;
    }
    next.run();
  }

  private void understandElsewhere(Endpoint endpoint) {
    try {
      context
          .workers()
          .execute(
              () -> {
                Runnable next;
                try {
                  next = understand(endpoint);
                } catch (Error e) {
                  channel.executor().execute(() -> refuse(e));
                  throw e;
                }
                channel.executor().execute(next);
              });
    } catch (RejectedExecutionException e) {
      refuse(HttpResponseStatus.SERVICE_UNAVAILABLE, "The balancer is busy.", "busy");
    }
  }

  /**
   * Reads the body, on any thread; what is to be done then belongs on the event loop. What a client
   * can cause is answered; an error of the JVM is the caller's to answer and to pass on.
   */
  private Runnable understand(Endpoint endpoint) {
    try {
      RequestFacts facts = context.parser().parse(bytes, length, endpoint);
      ServedModel model = context.models().find(facts.model());
      if (model == null) {
        return () -> refuseModel(facts.model());
      }
      RequestTags tags = tags(facts);
      if (model.engine() != null) {
        return askEngine(model, facts, tags, endpoint);
      }
      PromptBlocks prompt = model.encoder().encode(facts.prompt(), facts.cacheSalt());
      long micros = preparedMicros();
      return () -> begin(endpoint, model, tags, prompt, facts.usageEdit(), micros);
    } catch (InvalidRequestException e) {
      return () -> refuse(HttpResponseStatus.BAD_REQUEST, e.getMessage(), "invalid_body");
    } catch (StackOverflowError e) {
      return () ->
          refuse(HttpResponseStatus.BAD_REQUEST, "The body is nested too deeply.", "invalid_body");
    } catch (RuntimeException e) {
      logFailure(e);
      return this::refuseForAFault;
    }
  }

  private void begin(
      Endpoint endpoint,
      ServedModel model,
      RequestTags tags,
      PromptBlocks prompt,
      BodyEdit edit,
      long micros) {
    Recorder recorder = context.recorder();
    RequestTrace trace = recorder.trace(endpoint, model.router().model(), tags, receivedNanos);
    InferenceLedger ledger =
        new InferenceLedger(recorder, model, tags, prompt, trace, receivedNanos, micros);
    start(ledger, tags.requestId(), edit, tags.stream());
  }

  /** Goes on once the engine told the prompt's tokens, or was given up on. */
  private Runnable askEngine(
      ServedModel model, RequestFacts facts, RequestTags tags, Endpoint endpoint) {
    EngineTokenizer engine = model.engine();
    Question question = engine.question(facts);
    BodyEdit edit = facts.usageEdit();
    EventLoop loop = channel.channel().eventLoop();
    String key = context.keys().open() ? head.headers().get(HttpHeaderNames.AUTHORIZATION) : null;
    return () ->
        engine.answer(
            question,
            key,
            loop,
            context.connections().get(loop),
            prompt -> begin(endpoint, model, tags, prompt, edit, preparedMicros()));
  }

  private long preparedMicros() {
    return (context.recorder().time().nanos() - receivedNanos) / 1000;
  }

  private void refuse(Error failure) {
    logFailure(failure);
    if (failure instanceof OutOfMemoryError) {
      refuse(
          HttpResponseStatus.SERVICE_UNAVAILABLE, "The balancer is short of memory.", "no_memory");
    } else {
      refuseForAFault();
    }
  }

  private void refuseForAFault() {
    refuse(
        HttpResponseStatus.INTERNAL_SERVER_ERROR,
        "The balancer failed to read the request.",
        "internal_error");
  }

  /** Without the message, which may quote the prompt. */
  private static void logFailure(Throwable failure) {
    StackTraceElement[] trace = failure.getStackTrace();
    LOG.error(
        "cannot read a request: {} at {}",
        failure.getClass().getName(),
        trace.length == 0 ? "an unknown place" : trace[0]);
  }

  private void start(Ledger ledger, String requestId, BodyEdit edit, boolean stream) {
    if (!context.keys().open()) {
      // The client's key is for the balancer.
      head.headers().remove(HttpHeaderNames.AUTHORIZATION);
    }
    UpstreamRequest request = new UpstreamRequest(head, body, edit, requestId, stream);
    Exchange exchange =
        new Exchange(context, client, channel.channel(), request, ledger, receivedNanos, keepAlive);
    client.started(exchange);
    exchange.start();
  }

  private RequestTags tags(RequestFacts facts) {
    HttpHeaders headers = head.headers();
    String named = headers.get(HeaderRules.SESSION_ID);
    String session = named != null && !named.isEmpty() ? named : facts.user();
    if (session == null || session.isEmpty()) {
      session = facts.firstUserText();
    }
    long hash = session == null ? 0 : ContentHash.of(session);
    return new RequestTags(
        requestId(),
        HeaderRules.traceparent(headers),
        holder,
        hash == 0 ? null : HexFormat.of().toHexDigits(hash),
        hash,
        facts.stream(),
        facts.maxTokens());
  }

  private String requestId() {
    String given = HeaderRules.requestId(head.headers());
    return given != null ? given : context.ids().next();
  }

  private void refuseModel(String model) {
    if (model == null) {
      refuse(HttpResponseStatus.BAD_REQUEST, "The body must name a model.", "model_missing");
    } else {
      refuse(
          HttpResponseStatus.NOT_FOUND,
          "The model '" + shortened(model) + "' does not exist.",
          "model_not_found");
    }
  }

  private static String shortened(String name) {
    return name.length() <= 100 ? name : name.substring(0, 100) + "…";
  }

  private void refuse(HttpResponseStatus status, String message, String code) {
    client.refuse(status, message, code, !keepAlive);
  }
}
