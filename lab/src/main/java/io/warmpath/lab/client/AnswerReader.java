package io.warmpath.lab.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse.ResponseInfo;
import java.util.concurrent.Flow;

/** Reads a stream of server-sent events, one chunk of the answer each, as they arrive. */
final class AnswerReader implements Flow.Subscriber<String> {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DATA = "data:";
  private static final int MOST_ERROR_TEXT = 500;

  private final int status;
  private final HttpHeaders headers;
  private final Runnable onPiece;
  private final StringBuilder text = new StringBuilder();
  private final StringBuilder other = new StringBuilder();
  private Integer promptTokens;
  private Integer cachedTokens;
  private Integer outputTokens;
  private boolean hasFirstToken;
  private long firstTokenNanos;
  private boolean done;
  private String error;

  AnswerReader(ResponseInfo response, Runnable onPiece) {
    this.onPiece = onPiece;
    status = response.statusCode();
    headers = response.headers();
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(String line) {
    if (!line.startsWith(DATA)) {
      if (other.length() < MOST_ERROR_TEXT) {
        other.append(line);
      }
      return;
    }
    String data = line.substring(DATA.length()).strip();
    if (data.equals("[DONE]")) {
      done = true;
      return;
    }
    try {
      read(JSON.readTree(data));
    } catch (JsonProcessingException e) {
      fail("not JSON: " + data);
    }
  }

  private void read(JsonNode chunk) {
    if (chunk.hasNonNull("error")) {
      fail(chunk.get("error").path("message").asText(chunk.get("error").toString()));
      return;
    }
    JsonNode choice = chunk.path("choices").path(0);
    String piece =
        choice.has("text")
            ? choice.path("text").asText("")
            : choice.path("delta").path("content").asText("");
    if (!piece.isEmpty()) {
      if (!hasFirstToken) {
        hasFirstToken = true;
        firstTokenNanos = System.nanoTime();
      }
      text.append(piece);
      onPiece.run();
    }
    JsonNode usage = chunk.path("usage");
    if (usage.isObject()) {
      promptTokens = number(usage.path("prompt_tokens"));
      outputTokens = number(usage.path("completion_tokens"));
      cachedTokens = number(usage.path("prompt_tokens_details").path("cached_tokens"));
    }
  }

  private static Integer number(JsonNode node) {
    return node.isInt() ? node.asInt() : null;
  }

  private void fail(String reason) {
    if (error == null) {
      error = reason.substring(0, Math.min(reason.length(), MOST_ERROR_TEXT));
    }
  }

  @Override
  public void onError(Throwable failure) {
    fail("the connection broke: " + failure.getMessage());
  }

  @Override
  public void onComplete() {
    if (status != 200) {
      fail("HTTP " + status + ": " + other);
    } else if (!done) {
      fail("the stream ended without [DONE]");
    } else if (!hasFirstToken) {
      fail("no token came");
    }
  }

  /** What was read, once the stream has ended. */
  Answer answer() {
    return new Answer(
        status,
        headers.firstValue("x-request-id").orElse(null),
        headers.firstValue("x-warmpath-policy").orElse(null),
        headers.firstValue("x-warmpath-replica").orElse(null),
        promptTokens,
        cachedTokens,
        outputTokens,
        text.toString(),
        firstTokenNanos,
        System.nanoTime(),
        error);
  }
}
