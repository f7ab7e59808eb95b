package io.warmpath.bench.proxy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** Clients that send the next request once they have the answer: as many as there can be. */
final class ClosedLoop implements Client.Listener {

  /**
   * What came of it.
   *
   * @param requests answers while it was timed
   * @param failures answers, of all, that were not sound
   * @param nanos how long it was timed
   * @param cpuNanos processor time of the measured process meanwhile
   */
  record Result(long requests, long failures, long nanos, long cpuNanos) {

    double requestsPerSecond() {
      return requests * 1e9 / nanos;
    }
  }

  private final Load load;
  private final AtomicInteger open = new AtomicInteger();
  private volatile long answers;
  private volatile long failures;
  private volatile boolean stopping;
  private int next;

  private ClosedLoop(Load load) {
    this.load = load;
  }

  /**
   * Runs it.
   *
   * @param settleMs time before it is timed
   * @param durationMs time that counts
   * @param cpuNanos processor time of the measured process so far
   * @throws IOException if nobody listens
   */
  static Result run(
      Load load, int connections, long settleMs, long durationMs, LongSupplier cpuNanos)
      throws IOException, InterruptedException {
    return new ClosedLoop(load).run(connections, settleMs, durationMs, cpuNanos);
  }

  private Result run(int connections, long settleMs, long durationMs, LongSupplier cpuNanos)
      throws IOException, InterruptedException {
    try (SocketLoop loop = new SocketLoop("bench-clients")) {
      List<Client> clients = new ArrayList<>();
      for (int number = 0; number < connections; number++) {
        loop.connect(
            load.port(number),
            connection -> {
              Client client = new Client(connection, load.form(), 0, this, delay -> {});
              clients.add(client);
              return client;
            });
      }
      open.set(connections);
      for (int number = 0; number < connections; number++) {
        clients.get(number).ask(load.request(number), System.nanoTime());
      }
      pause(settleMs);
      long fromAnswers = answers;
      long fromCpu = cpuNanos.getAsLong();
      long from = System.nanoTime();
      pause(durationMs);
      long requests = answers - fromAnswers;
      long nanos = System.nanoTime() - from;
      long cpu = cpuNanos.getAsLong() - fromCpu;
      stopping = true;
      boolean ended = Waiting.until(() -> open.get() == 0, Load.PATIENCE);
      return new Result(requests, failures + (ended ? 0 : open.get()), nanos, cpu);
    }
  }

  private static void pause(long millis) throws InterruptedException {
    Waiting.until(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
  }

  @Override
  @SuppressWarnings("NonAtomicOperationOnVolatileField") // only the loop's thread writes them
  public void answered(Client client, boolean sound, long nowNanos) {
    answers++;
    if (!sound) {
      failures++;
    }
    if (stopping) {
      open.decrementAndGet();
      return;
    }
    try {
      client.ask(load.request(next++ & Integer.MAX_VALUE), nowNanos);
    } catch (IOException e) {
      client.close();
      lost(client);
    }
  }

  @Override
  @SuppressWarnings("NonAtomicOperationOnVolatileField")
  public void lost(Client client) {
    failures++;
    open.decrementAndGet();
  }
}
