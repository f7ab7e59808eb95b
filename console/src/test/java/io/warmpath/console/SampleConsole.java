package io.warmpath.console;

import static io.warmpath.console.SampleResults.ALL;
import static io.warmpath.console.SampleResults.weights;

import io.warmpath.schemas.stats.RoutingStats;
import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A console with made-up traffic, for looking at the page: {@code SampleConsole [port]}. The fleet
 * moves from round_robin to adaptive, then a replica slows down.
 */
public final class SampleConsole {

  private static final int REPLICAS = 4;

  private SampleConsole() {}

  public static void main(String[] args) {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : ConsoleConfig.DEFAULT_PORT;
    ScriptedSource source = new ScriptedSource();
    ConsoleServer.start(
        ConsoleConfig.of("not-used:9092", "127.0.0.1", port), source, Clock.systemUTC());
    long startMs = System.currentTimeMillis() / 1000 * 1000 - 2_000;
    for (int second = 600; second > 0; second--) {
      publish(source, startMs - second * 1000L, 600 - second);
    }
    int[] second = {600};
    Executors.newSingleThreadScheduledExecutor()
        .scheduleAtFixedRate(
            () -> publish(source, startMs + (second[0] - 600) * 1000L, second[0]++),
            0,
            1,
            TimeUnit.SECONDS);
  }

  private static void publish(ScriptedSource source, long endMs, int second) {
    boolean adaptive = second > 240;
    double slow = second > 420 && second < 560 ? Math.max(0.46, 1 - (second - 420) / 110.0) : 1;
    publishWindow(source, endMs, 10_000, second, adaptive);
    if (second % 5 == 0) {
      publishWindow(source, endMs, 60_000, second, adaptive);
      double others = (4 - slow) / 3;
      source.publish(weights(endMs, others * 1.02, others * 0.99, slow, others * 0.99));
    }
  }

  private static void publishWindow(
      ScriptedSource source, long endMs, long sizeMs, int second, boolean adaptive) {
    double wave = 1 + 0.12 * Math.sin(second / 17.0) + 0.07 * Math.sin(second / 3.1);
    long requests = Math.round(9.3 * wave * sizeMs / 1000);
    long p95 = Math.round((adaptive ? 272_000 : 745_000) * (0.8 + 0.2 * wave));
    double hit = adaptive ? 0.905 : 0.62 + 0.02 * wave;
    String policy = adaptive ? "adaptive" : "round_robin";
    source.publish(sample(policy, ALL, sizeMs, endMs, requests, p95, hit));
    if (adaptive) {
      source.publish(
          sample("prefix_affinity", ALL, sizeMs, endMs, requests / 9, p95 + 21_000, 0.874));
    }
    for (int i = 0; i < REPLICAS; i++) {
      long share = Math.round(requests / 4.0 * (1 + 0.05 * Math.sin(second / 5.0 + i)));
      source.publish(
          sample(ALL, "replica-" + i, sizeMs, endMs, share, p95 + (i == 2 ? 90_000 : 0), hit));
    }
    source.publish(sample(ALL, ALL, sizeMs, endMs, requests, p95, hit));
  }

  private static RoutingStats sample(
      String policy, String replica, long sizeMs, long endMs, long n, long p95, double hit) {
    return SampleResults.row(SampleResults.MODEL, policy, replica, sizeMs, endMs, n, p95, hit);
  }
}
