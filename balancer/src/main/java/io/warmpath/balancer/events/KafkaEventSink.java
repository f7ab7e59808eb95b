package io.warmpath.balancer.events;

import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.topic.RecordHeaders;
import io.warmpath.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends events to {@code llm.requests}. Callers only put them into a bounded buffer; a thread of
 * its own encodes and sends them. While Kafka is away the buffer fills, then events are dropped and
 * counted; when it is back, what the buffer holds is sent.
 *
 * <p>The bound counts an event from {@link #emit} until Kafka confirmed it or gave it up, so that
 * events do not pile up inside the producer either.
 */
public final class KafkaEventSink implements EventSink {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaEventSink.class);
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final byte[] JSON = RecordHeaders.JSON.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SCHEMA =
      Codecs.REQUEST_EVENT.schema().getBytes(StandardCharsets.US_ASCII);

  private record Pending(RequestEvent event, String traceparent) {}

  private final EventSettings settings;
  private final Function<Map<String, Object>, Producer<String, byte[]>> producers;
  private final ConcurrentLinkedQueue<Pending> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger buffered = new AtomicInteger();
  private final LongAdder emitted = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final Thread sender;
  private volatile Producer<String, byte[]> producer;
  private volatile boolean closing;
  private volatile boolean abandoned;

  /** Whether Kafka refused the record that the sender is sending, before it was queued there. */
  private boolean refused;

  private volatile boolean warned;

  /**
   * @param producers makes the producer from the settings that this sink needs; asked again while
   *     it throws a KafkaException, for the brokers' names may not be known yet
   */
  public KafkaEventSink(
      EventSettings settings, Function<Map<String, Object>, Producer<String, byte[]>> producers) {
    this.settings = settings;
    this.producers = producers;
    this.sender = new Thread(this::run, "warmpath-events");
    sender.setDaemon(true);
    sender.start();
  }

  /** What the sink relies on; a user's own settings may add to it. */
  private static Map<String, Object> producerSettings() {
    return Map.of(
        "enable.idempotence",
        true,
        "acks",
        "all",
        // Windows are seconds long, and a large batch costs both sides less.
        "linger.ms",
        20,
        "batch.size",
        128 * 1024,
        "compression.type",
        "lz4",
        "max.block.ms",
        1_000,
        "request.timeout.ms",
        10_000,
        // Events wait out a broker's absence in the buffer, however long; only the bound drops
        // them.
        "delivery.timeout.ms",
        3_600_000);
  }

  @Override
  public void emit(RequestEvent event, String traceparent) {
    emitted.increment();
    if (closing || buffered.incrementAndGet() > settings.buffer()) {
      if (!closing) {
        buffered.decrementAndGet();
      }
      dropped.increment();
      return;
    }
    queue.add(new Pending(event, traceparent));
  }

  @Override
  public long emitted() {
    return emitted.sum();
  }

  @Override
  public long dropped() {
    return dropped.sum();
  }

  @Override
  public int buffered() {
    return buffered.get();
  }

  private void run() {
    producer = connect();
    while (!abandoned) {
      Pending pending = queue.poll();
      if (pending != null) {
        send(pending);
      } else if (closing) {
        return;
      } else {
        LockSupport.parkNanos(IDLE_NANOS);
      }
    }
  }

  /** Makes the producer; null if the sink is closed before that works. */
  private Producer<String, byte[]> connect() {
    boolean said = false;
    while (!abandoned) {
      try {
        return producers.apply(producerSettings());
      } catch (KafkaException e) {
        if (!said) {
          said = true;
          LOG.warn("cannot send request events, will go on trying: {}", e.toString());
        }
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
    return null;
  }

  private void send(Pending pending) {
    ProducerRecord<String, byte[]> record;
    try {
      record = record(pending);
    } catch (RuntimeException e) {
      lose(e);
      return;
    }
    while (!abandoned) {
      refused = false;
      try {
        producer.send(record, (metadata, failure) -> confirmed(failure));
      } catch (RuntimeException e) {
        lose(e);
        return;
      }
      if (!refused) {
        return;
      }
      LockSupport.parkNanos(RETRY_NANOS);
    }
    lose(new IllegalStateException("closed"));
  }

  /** On the producer's thread; on the sender's own if Kafka cannot even be asked. */
  private void confirmed(Exception failure) {
    if (failure == null) {
      buffered.decrementAndGet();
    } else if (Thread.currentThread() == sender && failure instanceof RetriableException) {
      refused = true;
    } else {
      lose(failure);
    }
  }

  private void lose(Exception cause) {
    buffered.decrementAndGet();
    dropped.increment();
    if (!warned) {
      warned = true;
      LOG.warn("request events are being lost, see warmpath_balancer_events_dropped_total", cause);
    }
  }

  private static ProducerRecord<String, byte[]> record(Pending pending) {
    RequestEvent event = pending.event();
    ProducerRecord<String, byte[]> record =
        new ProducerRecord<>(
            Topics.REQUESTS, event.context().requestId(), Codecs.REQUEST_EVENT.encode(event));
    record.headers().add(RecordHeaders.CONTENT_TYPE, JSON);
    record.headers().add(RecordHeaders.SCHEMA, SCHEMA);
    if (pending.traceparent() != null) {
      record
          .headers()
          .add(
              RecordHeaders.TRACEPARENT, pending.traceparent().getBytes(StandardCharsets.US_ASCII));
    }
    return record;
  }

  @Override
  public void close() {
    if (closing) {
      return;
    }
    closing = true;
    long deadline = System.nanoTime() + settings.flushTimeout().toNanos();
    try {
      TimeUnit.NANOSECONDS.timedJoin(sender, settings.flushTimeout().toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    abandoned = true;
    Producer<String, byte[]> opened = producer;
    if (opened != null) {
      opened.close(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }
    int left = queue.size();
    dropped.add(left);
    if (dropped.sum() > 0) {
      LOG.warn("{} request events were lost in this run", dropped.sum());
    }
  }
}
