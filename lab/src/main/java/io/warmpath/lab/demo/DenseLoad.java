package io.warmpath.lab.demo;

import io.warmpath.lab.client.CompletionClient;
import io.warmpath.lab.stack.StackConfig;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Short completions at a steady rate, whatever becomes of them. No two prompts share a block and
 * their lengths vary widely, so that the time a token can be told from the time that no token
 * explains.
 */
final class DenseLoad implements AutoCloseable {

  private static final int LEAST_TOKENS = 4_096;
  private static final int MOST_TOKENS = 24_576;
  private static final int OUTPUT_TOKENS = 4;
  private static final int VOCABULARY = 100_000;
  private static final int MOST_OPEN = 256;

  private final CompletionClient client;
  private final double requestsPerSecond;
  private final SplittableRandom random;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final Thread sender = new Thread(this::run, "warmpath-dense-load");
  private volatile boolean stopped;

  private DenseLoad(CompletionClient client, double requestsPerSecond, long seed) {
    this.client = client;
    this.requestsPerSecond = requestsPerSecond;
    this.random = new SplittableRandom(seed);
    sender.setDaemon(true);
  }

  /**
   * Begins.
   *
   * @param requestsPerSecond mean rate; times between requests are exponential
   */
  static DenseLoad start(CompletionClient client, double requestsPerSecond, long seed) {
    DenseLoad load = new DenseLoad(client, requestsPerSecond, seed);
    load.sender.start();
    return load;
  }

  /** Requests that failed, or were not sent because too many were open. */
  int failed() {
    return failed.get();
  }

  private void run() {
    long dueNanos = System.nanoTime();
    while (!stopped) {
      dueNanos += (long) (-Math.log1p(-random.nextDouble()) / requestsPerSecond * 1e9);
      for (long left = dueNanos - System.nanoTime();
          left > 0 && !stopped;
          left = dueNanos - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      send(body());
    }
  }

  private void send(byte[] body) {
    if (open.incrementAndGet() > MOST_OPEN) {
      open.decrementAndGet();
      failed.incrementAndGet();
      return;
    }
    client
        .send("v1/completions", body, Map.of())
        .thenAccept(
            answer -> {
              open.decrementAndGet();
              if (!answer.ok() && !stopped) {
                failed.incrementAndGet();
              }
            });
  }

  private byte[] body() {
    double span = Math.log((double) MOST_TOKENS / LEAST_TOKENS);
    int tokens = (int) (LEAST_TOKENS * Math.exp(random.nextDouble() * span));
    StringBuilder json = new StringBuilder(6 * tokens + 200);
    json.append("{\"model\":\"").append(StackConfig.MODEL).append("\",\"prompt\":[");
    for (int i = 0; i < tokens; i++) {
      json.append(i == 0 ? "" : ",").append(random.nextInt(VOCABULARY));
    }
    json.append("],\"max_tokens\":")
        .append(OUTPUT_TOKENS)
        .append(",\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    stopped = true;
    LockSupport.unpark(sender);
    try {
      sender.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
