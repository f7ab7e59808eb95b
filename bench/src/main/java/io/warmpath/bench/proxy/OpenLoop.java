package io.warmpath.bench.proxy;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Requests at a fixed rate, whatever becomes of those before. An answer's time begins when its
 * request was due, so that neither a slow proxy nor a slow client can hide (no coordinated
 * omission).
 */
final class OpenLoop implements Client.Listener {

  /**
   * What came of it.
   *
   * @param nanos time of each sound answer
   * @param failures requests without one
   */
  record Result(long[] nanos, long failures) {}

  private static final int CONNECTIONS = 32;

  private final Load load;
  private final long[] nanos;
  private final ConcurrentLinkedDeque<Client> idle = new ConcurrentLinkedDeque<>();
  private final AtomicInteger sound = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();

  private OpenLoop(Load load, int requests) {
    this.load = load;
    this.nanos = new long[requests];
  }

  /**
   * Runs it.
   *
   * @param rate requests a second
   * @throws IOException if nobody listens
   */
  static Result run(Load load, int rate, long durationMs) throws IOException, InterruptedException {
    int requests = (int) Math.max(1, rate * durationMs / 1000);
    return new OpenLoop(load, requests).run(TimeUnit.SECONDS.toNanos(1) / rate);
  }

  private Result run(long intervalNanos) throws IOException, InterruptedException {
    try (SocketLoop loop = new SocketLoop("bench-clients")) {
      for (int number = 0; number < CONNECTIONS; number++) {
        idle.add(connect(loop, number));
      }
      long start = System.nanoTime() + intervalNanos;
      for (int number = 0; number < nanos.length; number++) {
        long due = start + number * intervalNanos;
        Waiting.until(due);
        Client client = idle.pollFirst();
        ask(client != null ? client : connect(loop, number), number, due);
      }
      Waiting.until(() -> sound.get() + failed.get() == nanos.length, Load.PATIENCE);
      int answers = sound.get();
      return new Result(Arrays.copyOf(nanos, answers), nanos.length - answers);
    }
  }

  private Client connect(SocketLoop loop, int number) throws IOException {
    Client[] made = new Client[1];
    loop.connect(
        load.port(number),
        connection -> made[0] = new Client(connection, load.form(), 0, this, delay -> {}));
    return made[0];
  }

  private void ask(Client client, int number, long due) {
    try {
      client.ask(load.request(number), due);
    } catch (IOException e) {
      client.close();
      failed.incrementAndGet();
    }
  }

  @Override
  public void answered(Client client, boolean isSound, long nowNanos) {
    if (isSound) {
      nanos[sound.get()] = nowNanos - client.dueNanos();
      sound.incrementAndGet();
    } else {
      failed.incrementAndGet();
    }
    // The one used last goes first: as with clients' pools, few connections carry most.
    idle.addFirst(client);
  }

  @Override
  public void lost(Client client) {
    if (!idle.remove(client)) {
      failed.incrementAndGet();
    }
  }
}
