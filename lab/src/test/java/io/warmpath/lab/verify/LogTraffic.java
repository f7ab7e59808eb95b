package io.warmpath.lab.verify;

import io.warmpath.schemas.HashList;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.FirstToken;
import io.warmpath.schemas.request.FirstTokenTimes;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.request.RequestContext;
import io.warmpath.schemas.request.RoutingFacts;
import io.warmpath.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * What balancers and replicas would write, with events that are late, far too late, ahead, written
 * twice, and no events at all. A log of it looks like one that was written in real time.
 */
final class LogTraffic {

  private static final String MODEL = "m";
  private static final String RARER_MODEL = "n";

  private static final int REPLICAS = 4;
  private static final long REPORT_EVERY_MS = 1_000;
  private static final List<String> POLICIES = List.of("adaptive", "round_robin");

  private final Random random;
  private final double requestsPerSecond;
  private final Consumer<ProducerRecord<byte[], byte[]>> out;
  private final long routerStartMs;
  private long nowMs;
  private long requests;
  private long lost;
  private long batches;
  private long records;

  LogTraffic(
      long seed,
      long fromMs,
      double requestsPerSecond,
      Consumer<ProducerRecord<byte[], byte[]>> out) {
    this.random = new Random(seed);
    this.nowMs = fromMs;
    this.routerStartMs = fromMs;
    this.requestsPerSecond = requestsPerSecond;
    this.out = out;
  }

  /** Writes what happens in a span of time, and returns when that ends. */
  long run(long spanMs) {
    long untilMs = nowMs + spanMs;
    while (nowMs < untilMs) {
      long nextMs =
          nowMs + 1 + Math.round(-Math.log(1 - random.nextDouble()) * 1000 / requestsPerSecond);
      for (long reportMs = nowMs / REPORT_EVERY_MS + 1;
          reportMs * REPORT_EVERY_MS <= nextMs;
          reportMs++) {
        report(reportMs * REPORT_EVERY_MS);
      }
      nowMs = nextMs;
      request();
    }
    return nowMs;
  }

  /** Up to here all is written, in epoch milliseconds. */
  long nowMs() {
    return nowMs;
  }

  /** Records so far. */
  long records() {
    return records;
  }

  private void report(long timeMs) {
    for (int replica = 0; replica < REPLICAS; replica++) {
      write(Topics.REPLICA_TELEMETRY, name(replica), timeMs, telemetry(name(replica), timeMs));
    }
  }

  /** Writes into a partition what a replica said long ago. */
  void report(int partition, long agoMs) {
    records++;
    String replica = name(REPLICAS);
    out.accept(
        new ProducerRecord<>(
            Topics.REPLICA_TELEMETRY,
            partition,
            nowMs,
            replica.getBytes(StandardCharsets.UTF_8),
            telemetry(replica, nowMs - agoMs)));
  }

  private static byte[] telemetry(String replica, long timeMs) {
    return Codecs.REPLICA_TELEMETRY.encode(
        new ReplicaTelemetry(timeMs, replica, MODEL, 16, 1, 2, 3, 4, null));
  }

  private void request() {
    requests++;
    if (random.nextInt(500) == 0) {
      lost += 1 + random.nextInt(3);
    }
    if (random.nextInt(1_000) == 0) {
      write(Topics.REQUESTS, "r" + requests, nowMs, "{".getBytes(StandardCharsets.UTF_8));
      return;
    }
    int replica = random.nextInt(REPLICAS);
    long prompt = 100 + random.nextInt(4_000);
    long cached = random.nextInt(3) == 0 ? 0 : random.nextInt((int) prompt);
    long speedUs = replica == 3 ? 60 : 40;
    long ttftUs =
        20_000 + (long) ((prompt - cached) * speedUs * Math.exp(0.3 * random.nextGaussian()));
    long eventMs = nowMs - delayMs();
    RequestContext context = context(eventMs, name(replica));
    RoutingFacts facts =
        new RoutingFacts(prompt, true, cached, cached, cached, prompt, random.nextInt(500), 1, 10);
    FirstTokenTimes times = new FirstTokenTimes(ttftUs, ttftUs, ttftUs, null);
    write(
        Topics.REQUESTS,
        context.requestId(),
        nowMs,
        Codecs.REQUEST_EVENT.encode(new FirstToken(context, facts, times)));
    Outcome outcome = random.nextInt(50) == 0 ? Outcome.CLIENT_ABORT : Outcome.OK;
    Finished finished =
        new Finished(
            context, facts, ttftUs, ttftUs, ttftUs, null, outcome, 200, cached, 20, ttftUs * 3, 0);
    byte[] encoded = Codecs.REQUEST_EVENT.encode(finished);
    write(Topics.REQUESTS, context.requestId(), nowMs, encoded);
    if (random.nextInt(200) == 0) {
      write(Topics.REQUESTS, context.requestId(), nowMs + 1, encoded);
    }
    if (random.nextInt(4) == 0) {
      cacheEvents(name(replica), prompt, cached);
    }
  }

  private RequestContext context(long eventMs, String replica) {
    return new RequestContext(
        eventMs,
        "r" + requests,
        null,
        "balancer-0",
        routerStartMs,
        lost,
        random.nextInt(5) == 0 ? RARER_MODEL : MODEL,
        null,
        null,
        POLICIES.get(random.nextInt(POLICIES.size())),
        replica,
        0,
        0,
        true);
  }

  private void cacheEvents(String replica, long prompt, long cached) {
    CacheEventBatch batch =
        new CacheEventBatch(
            nowMs,
            replica,
            MODEL,
            CacheEventBatch.Source.ENGINE,
            routerStartMs,
            0,
            batches++,
            null,
            List.of(
                new CacheEvent.Stored(HashList.of(batches, batches + 1), 16, CacheEvent.GPU, 0),
                new CacheEvent.Prefill(
                    "r" + requests, null, prompt, cached, (prompt - cached) * 40, null)));
    write(Topics.CACHE_EVENTS, replica, nowMs, Codecs.CACHE_EVENT_BATCH.encode(batch));
  }

  private long delayMs() {
    int kind = random.nextInt(1_000);
    if (kind < 10) {
      return 2_000 + random.nextInt(55_000);
    }
    if (kind < 13) {
      return 55_000 + random.nextInt(40_000);
    }
    return kind < 15 ? -60_001 - random.nextInt(3_600_000) : random.nextInt(1_500);
  }

  private static String name(int replica) {
    return "replica-" + replica;
  }

  private void write(String topic, String key, long writtenMs, byte[] value) {
    records++;
    out.accept(
        new ProducerRecord<>(topic, null, writtenMs, key.getBytes(StandardCharsets.UTF_8), value));
  }
}
