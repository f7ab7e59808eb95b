package io.warmpath.lab.client;

import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends streaming completions and times their answers. Safe for concurrent use. */
public final class CompletionClient implements AutoCloseable {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final int THREADS = 2;

  private final URI target;
  private final Duration timeout;
  private final ExecutorService threads;
  private final HttpClient http;

  /**
   * @param target base URL of the server, with or without {@code /v1}
   * @param timeout most time for a whole answer
   */
  public CompletionClient(URI target, Duration timeout) {
    this.target = baseOf(target);
    this.timeout = timeout;
    this.threads =
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "warmpath-client");
              thread.setDaemon(true);
              return thread;
            });
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .executor(threads)
            .build();
  }

  private static URI baseOf(URI target) {
    String text = target.toString().replaceFirst("/+$", "").replaceFirst("/v1$", "");
    return URI.create(text + "/");
  }

  /**
   * Sends one request. The future never fails: what goes wrong is in the answer.
   *
   * @param path such as {@code v1/completions}
   * @param body JSON with {@code "stream": true}
   * @param headers further headers
   */
  public CompletableFuture<Answer> send(String path, byte[] body, Map<String, String> headers) {
    return send(path, body, headers, () -> {});
  }

  /**
   * The same, and tells of the answer's pieces as they come.
   *
   * @param onPiece runs for each piece, most of them one token, on the client's threads
   */
  public CompletableFuture<Answer> send(
      String path, byte[] body, Map<String, String> headers, Runnable onPiece) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target.resolve(path))
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    headers.forEach(request::header);
    CompletableFuture<HttpResponse<Answer>> exchange =
        http.sendAsync(
            request.build(),
            response -> {
              AnswerReader reader = new AnswerReader(response, onPiece);
              return BodySubscribers.fromLineSubscriber(
                  reader, AnswerReader::answer, StandardCharsets.UTF_8, null);
            });
    CompletableFuture<Answer> answer =
        exchange
            .thenApply(HttpResponse::body)
            .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
            .exceptionally(failure -> Answer.failed(reason(failure), System.nanoTime()));
    // Without a cancel, an exchange that timed out would hold its connection.
    return answer.whenComplete((result, failure) -> exchange.cancel(true));
  }

  private String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof TimeoutException) {
      return "no complete answer within " + timeout.toSeconds() + " s";
    }
    if (cause instanceof ConnectException) {
      return "cannot connect";
    }
    return cause.getClass().getSimpleName()
        + (cause.getMessage() == null ? "" : ": " + cause.getMessage());
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
