package io.warmpath.lab.replay;

import io.warmpath.lab.client.CompletionBody;
import io.warmpath.lab.client.CompletionClient;
import io.warmpath.lab.trace.Trace;
import java.util.Map;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Sends the requests of a trace when they are due, whatever became of earlier ones (an open loop),
 * and measures from when they were due.
 */
public final class Replay {

  private static final long NANOS_PER_MICRO = 1_000;

  private final Trace trace;
  private final TracePrompts prompts;
  private final ReplayOptions options;

  public Replay(Trace trace, ReplayOptions options) {
    this.trace = trace;
    this.prompts = new TracePrompts(trace);
    this.options = options;
  }

  /**
   * Replays the whole trace. Returns when the last answer has ended.
   *
   * @param progress called after each request that was sent or has ended, from any thread
   */
  public ReplayReport run(Consumer<ReplayResults> progress) {
    ReplayResults results = new ReplayResults(trace.size());
    Semaphore room = new Semaphore(options.maxInFlight());
    Phaser open = new Phaser(1);
    long startNanos = System.nanoTime();
    try (CompletionClient client = new CompletionClient(options.target(), options.timeout())) {
      for (int request = 0; request < trace.size(); request++) {
        byte[] body = body(request);
        long dueNanos = startNanos + dueAfterNanos(request);
        parkUntil(dueNanos);
        if (!room.tryAcquire()) {
          results.unsent("not sent: " + options.maxInFlight() + " requests are open");
          progress.accept(results);
          continue;
        }
        results.sent((System.nanoTime() - dueNanos) / NANOS_PER_MICRO);
        progress.accept(results);
        open.register();
        client
            .send("v1/completions", body, session(request))
            .thenAccept(answer -> results.answered(answer, dueNanos))
            .whenComplete(
                (done, failure) -> {
                  room.release();
                  progress.accept(results);
                  open.arriveAndDeregister();
                });
      }
      open.arriveAndAwaitAdvance();
    }
    return results.report((System.nanoTime() - startNanos) / 1e9);
  }

  private long dueAfterNanos(int request) {
    long micros = trace.arrivalMicros(request) - trace.arrivalMicros(0);
    return (long) (Math.max(0, micros) * (double) NANOS_PER_MICRO / options.speed());
  }

  private static void parkUntil(long nanos) {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private Map<String, String> session(int request) {
    long session = trace.session(request);
    return session == Trace.NO_SESSION
        ? Map.of()
        : Map.of("x-session-id", Long.toHexString(session));
  }

  private byte[] body(int request) {
    int outputTokens = Math.max(1, trace.outputTokens(request));
    return CompletionBody.atMost(outputTokens, options.model(), prompts.tokens(request));
  }
}
