package io.warmpath.replica.api;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import io.warmpath.replica.ReplicaConfig;
import io.warmpath.routing.prefix.PrefixHasher;
import io.warmpath.routing.prompt.TokenBuffer;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/** {@code /v1/chat/completions}, {@code /v1/completions} and {@code /tokenize}. */
public final class GenerationApi {

  /** Request id from the client or the balancer. */
  private static final String REQUEST_ID = "x-request-id";

  /** Policy that sent the request here. */
  private static final String POLICY = "x-warmpath-policy";

  private static final Pattern SANE_ID = Pattern.compile("[A-Za-z0-9._:-]{1,128}");
  private static final Pattern SANE_POLICY = Pattern.compile("[A-Za-z0-9._:-]{1,64}");
  private static final long MS_PER_SECOND = 1_000;
  private static final long ROOT = PrefixHasher.root("", "");

  private final ReplicaConfig config;
  private final GenerationHost host;
  private final PrefixHasher hasher;
  private final LongSupplier epochMs;

  /**
   * @param epochMs the wall clock
   */
  public GenerationApi(ReplicaConfig config, GenerationHost host, LongSupplier epochMs) {
    this.config = config;
    this.host = host;
    this.epochMs = epochMs;
    hasher = new PrefixHasher(config.profile().blockTokens());
  }

  /** Answers a chat. */
  public void chat(RoutingContext context, byte[] json) {
    RequestBody body = parse(json);
    generate(context, Endpoint.CHAT, body, body.chatTokens());
  }

  /** Completes a prompt. */
  public void complete(RoutingContext context, byte[] json) {
    RequestBody body = parse(json);
    generate(context, Endpoint.COMPLETION, body, body.promptTokens());
  }

  /** Counts and lists tokens, in vLLM's shape. Ids are unsigned. */
  public void tokenize(RoutingContext context, byte[] requestJson) {
    RequestBody body = parse(requestJson);
    TokenBuffer tokens = body.messages() == null ? body.promptTokens() : body.chatTokens();
    StringBuilder json = new StringBuilder(64 + 12 * tokens.size());
    json.append("{\"count\":").append(tokens.size());
    json.append(",\"max_model_len\":").append(config.profile().maxModelTokens());
    json.append(",\"tokens\":[");
    for (int i = 0; i < tokens.size(); i++) {
      json.append(i == 0 ? "" : ",").append(Integer.toUnsignedLong(tokens.get(i)));
    }
    json.append("]}");
    context.response().putHeader("content-type", "application/json").end(json.toString());
  }

  private RequestBody parse(byte[] json) {
    RequestBody body = RequestBody.parse(json);
    if (body.model() != null && !body.model().equals(config.model())) {
      throw ApiException.unknownModel(body.model());
    }
    return body;
  }

  private void generate(
      RoutingContext context, Endpoint endpoint, RequestBody body, TokenBuffer prompt) {
    int outputTokens = outputTokens(body, prompt.size());
    if (host.engine().failed()) {
      throw ApiException.of(503, "the engine stopped after a fault");
    }
    OptionalInt rejection = host.faults().takeRejection();
    if (rejection.isPresent()) {
      throw ApiException.of(rejection.getAsInt(), "refused, as /admin/faults says");
    }
    if (host.open() >= config.maxOpenRequests()) {
      throw ApiException.of(
          503, "overloaded: " + config.maxOpenRequests() + " requests are open already");
    }
    HttpServerRequest request = context.request();
    String requestId = sane(request.getHeader(REQUEST_ID), SANE_ID);
    if (requestId == null) {
      requestId = UUID.randomUUID().toString();
    }
    long[] promptHashes = hasher.hash(ROOT, prompt.array(), 0, prompt.size());
    Answer answer = Answer.of(seed(prompt, promptHashes), outputTokens);
    Generation.Order order =
        new Generation.Order(
            requestId,
            sane(request.getHeader(POLICY), SANE_POLICY),
            body.stream(),
            body.includeUsage(),
            prompt.size(),
            answer,
            body.maxTokens() == null ? "stop" : "length",
            blockHashes(prompt, promptHashes, answer),
            config.tokensNeeded() ? tokens(prompt, answer) : null);
    long createdSeconds = epochMs.getAsLong() / MS_PER_SECOND;
    ResponseFrames frames = new ResponseFrames(endpoint, requestId, createdSeconds, config.model());
    context.response().putHeader(REQUEST_ID, requestId);
    host.start(new Generation(host, order, frames, context.response()));
  }

  private int outputTokens(RequestBody body, int promptTokens) {
    int tokens = body.maxTokens() == null ? config.defaultOutputTokens() : body.maxTokens();
    if (tokens > config.maxOutputTokens()) {
      throw ApiException.badField(
          body.maxTokensField(), "is " + tokens + ", at most " + config.maxOutputTokens());
    }
    try {
      host.engine().requireFits(promptTokens, tokens);
    } catch (IllegalArgumentException e) {
      String field =
          promptTokens >= config.profile().maxModelTokens() ? null : body.maxTokensField();
      throw ApiException.tooLong(field, e.getMessage());
    }
    return tokens;
  }

  /** The same prompt gets the same answer, on every replica. */
  private long seed(TokenBuffer prompt, long[] promptHashes) {
    long seed = promptHashes.length == 0 ? ROOT : promptHashes[promptHashes.length - 1];
    for (int i = promptHashes.length * hasher.blockTokens(); i < prompt.size(); i++) {
      seed = Answer.mixed(seed + prompt.get(i));
    }
    return seed;
  }

  private static int[] tokens(TokenBuffer prompt, Answer answer) {
    int[] tokens = Arrays.copyOf(prompt.array(), prompt.size() + answer.tokens().length);
    System.arraycopy(answer.tokens(), 0, tokens, prompt.size(), answer.tokens().length);
    return tokens;
  }

  /** Hashes of the blocks of prompt and answer, continued from those of the prompt. */
  private long[] blockHashes(TokenBuffer prompt, long[] promptHashes, Answer answer) {
    int hashed = promptHashes.length * hasher.blockTokens();
    int tail = prompt.size() - hashed;
    int[] rest = new int[tail + answer.tokens().length];
    System.arraycopy(prompt.array(), hashed, rest, 0, tail);
    System.arraycopy(answer.tokens(), 0, rest, tail, answer.tokens().length);
    int restBlocks = hasher.fullBlocks(rest.length);
    long[] hashes = Arrays.copyOf(promptHashes, promptHashes.length + restBlocks);
    long last = promptHashes.length == 0 ? ROOT : promptHashes[promptHashes.length - 1];
    hasher.hash(last, rest, 0, rest.length, hashes, promptHashes.length);
    return hashes;
  }

  private static String sane(String header, Pattern pattern) {
    return header != null && pattern.matcher(header).matches() ? header : null;
  }
}
