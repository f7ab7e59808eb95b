package io.warmpath.lab.cluster;

import io.warmpath.lab.synthetic.SyntheticRequests;
import io.warmpath.lab.truth.Truth;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.FirstToken;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.request.Routed;
import io.warmpath.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Request events at a steady rate, as from balancers that lose nothing: what the broker cannot take
 * now waits. Each request's first token comes first and its end some time later. Times within a
 * partition are out of order, but never further than the job's bound.
 */
final class SteadyLoad implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final long REQUESTS_OPEN = 3_000;
  private static final long MOST_DISORDER_MS = 1_500;
  private static final long NANOS = 1_000_000_000L;

  private final KafkaProducer<byte[], byte[]> producer;
  private final SyntheticRequests requests;
  private final Truth truth;
  private final int eventsPerSecond;
  private final Thread sender = new Thread(this::send, "steady-load");
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private final AtomicLong acknowledged = new AtomicLong();
  private volatile boolean stopped;
  private long sent;
  private long startedNanos;
  private long nanos;
  private long lastMs;

  private SteadyLoad(
      String bootstrapServers, SyntheticRequests requests, Truth truth, int eventsPerSecond) {
    this.requests = requests;
    this.truth = truth;
    this.eventsPerSecond = eventsPerSecond;
    Map<String, Object> properties =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "acks",
            "all",
            "enable.idempotence",
            true,
            "linger.ms",
            10,
            "batch.size",
            64 * 1024,
            "compression.type",
            "lz4",
            "buffer.memory",
            512L << 20,
            "max.block.ms",
            120_000,
            "delivery.timeout.ms",
            300_000);
    producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Begins. */
  static SteadyLoad start(
      String bootstrapServers, SyntheticRequests requests, Truth truth, int eventsPerSecond) {
    SteadyLoad load = new SteadyLoad(bootstrapServers, requests, truth, eventsPerSecond);
    load.sender.start();
    return load;
  }

  private void send() {
    startedNanos = System.nanoTime();
    long number = 0;
    while (!stopped) {
      long due = (System.nanoTime() - startedNanos) * eventsPerSecond / NANOS;
      // A clock that is set back must not make late what is not.
      lastMs = Math.max(lastMs, System.currentTimeMillis());
      for (; sent < due && !stopped; number++) {
        sendEventsOf(number);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    nanos = System.nanoTime() - startedNanos;
  }

  private void sendEventsOf(long number) {
    if (requests.hasFirstToken(number)) {
      FirstToken first = requests.firstToken(number, timeMs(number));
      truth.add(first);
      send(first);
    }
    long ended = number - REQUESTS_OPEN;
    if (ended >= 0) {
      Finished finished = requests.finished(ended, timeMs(number + 1));
      truth.add(finished);
      send(finished);
    }
  }

  private long timeMs(long number) {
    return lastMs - number * 7_919 % MOST_DISORDER_MS;
  }

  private void send(RequestEvent event) {
    sent++;
    send(null, event, event.context().eventTimeMs());
  }

  private void send(Integer partition, RequestEvent event, long timestampMs) {
    byte[] key = event.context().requestId().getBytes(StandardCharsets.UTF_8);
    producer.send(
        new ProducerRecord<>(
            Topics.REQUESTS, partition, timestampMs, key, Codecs.REQUEST_EVENT.encode(event)),
        (metadata, e) -> {
          if (e == null) {
            acknowledged.incrementAndGet();
          } else {
            failure.compareAndSet(null, e);
          }
        });
  }

  /** Events that the broker has confirmed. */
  long acknowledged() {
    return acknowledged.get();
  }

  /**
   * Ends and waits until the broker has everything.
   *
   * @return events a second that were reached
   * @throws IllegalStateException if it did not take one
   */
  double stop() throws InterruptedException {
    stopped = true;
    sender.join();
    producer.flush();
    if (failure.get() != null || acknowledged.get() != sent) {
      throw new IllegalStateException(
          sent + " events sent, " + acknowledged.get() + " confirmed", failure.get());
    }
    return sent * (double) NANOS / nanos;
  }

  /**
   * Lets time pass: every partition gets an event that counts nowhere.
   *
   * @param aheadMs how far after the last real event
   */
  void letTimePass(long aheadMs) {
    for (int partition = 0;
        partition < producer.partitionsFor(Topics.REQUESTS).size();
        partition++) {
      FirstToken like = requests.firstToken(0, lastMs + aheadMs);
      send(partition, new Routed(like.context(), like.facts(), null), lastMs + aheadMs);
    }
    producer.flush();
  }

  @Override
  public void close() {
    stopped = true;
    try {
      sender.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    producer.close(Duration.ZERO);
  }
}
