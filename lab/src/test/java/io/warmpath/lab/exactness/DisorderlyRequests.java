package io.warmpath.lab.exactness;

import io.warmpath.lab.synthetic.SyntheticFleet;
import io.warmpath.lab.synthetic.SyntheticRequests;
import io.warmpath.lab.truth.Arrival;
import io.warmpath.lab.truth.Truth;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import io.warmpath.schemas.request.RequestContext;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.request.Routed;
import io.warmpath.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Request events of 4 policies and 3 models in every disorder of the contract, with the truth about
 * each: what it counts as is chosen first, and its time made to fit.
 *
 * <p>Times of a partition are shuffled within {@link #BOUND_MS}. Of eight partitions one runs half
 * a minute behind the others, one falls silent after a quarter of the time, and one is always
 * silent.
 */
final class DisorderlyRequests {

  static final int PARTITIONS = 8;

  /** As the job must be configured. */
  static final long BOUND_MS = 5_000;

  private static final List<String> MODELS = List.of("model-a", "model-b", "model-c");

  private static final long LATENESS_MS = 60_000;
  private static final int SPEAKING = 6;
  private static final int BEHIND = 5;
  private static final long BEHIND_MS = 30_000;
  private static final int SOON_SILENT = 6;

  /** Each in so many. */
  private static final int MANY = 10_000;

  private static final int MALFORMED = 50;
  private static final int AHEAD = 10;
  private static final int LATE = 30;
  private static final int DROPPED = 10;
  private static final int COPIED = 100;

  private static final long AHEAD_MS = 3_600_000;
  private static final long ALLOWED_AHEAD_MS = 60_000;
  private static final int FAR_TOO_LATE_MS = 600_000;

  /** Copies of what is late already must still be known. */
  private static final int COPIED_WITHIN_MS = 50_000;

  private static final long REQUESTS_OPEN = 3_000;
  private static final long NEVER = Long.MIN_VALUE;

  private record Copy(int partition, long dueMs, RequestEvent event) {}

  private final SyntheticRequests requests;
  private final SplittableRandom random;
  private final long fromMs;
  private final long spanMs;
  private final long events;
  private final Truth truth;
  private final Consumer<ProducerRecord<byte[], byte[]>> out;
  private final long[] highMs = new long[PARTITIONS];
  private final PriorityQueue<Copy> copies =
      new PriorityQueue<>(Comparator.comparingLong(Copy::dueMs));
  private final Map<Arrival, Long> arrivals = new EnumMap<>(Arrival.class);
  private final Map<Reason, Long> refusals = new EnumMap<>(Reason.class);
  private long written;

  /**
   * @param fromMs when the log begins, in epoch milliseconds
   * @param spanMs how long it is
   * @param events number of events, copies not among them
   * @param truth learns what must come of them
   * @param out takes the records
   */
  DisorderlyRequests(
      long seed,
      int replicas,
      long fromMs,
      long spanMs,
      long events,
      Truth truth,
      Consumer<ProducerRecord<byte[], byte[]>> out) {
    this.requests = new SyntheticRequests(SyntheticFleet.of(MODELS, replicas), seed);
    this.random = new SplittableRandom(seed);
    this.fromMs = fromMs;
    this.spanMs = spanMs;
    this.events = events;
    this.truth = truth;
    this.out = out;
    Arrays.fill(highMs, NEVER);
  }

  /** Writes all events. */
  void write() {
    for (long number = 0; written < events; number++) {
      if (requests.hasFirstToken(number)) {
        long request = number;
        write(timeMs -> requests.firstToken(request, timeMs));
      }
      long ended = number - REQUESTS_OPEN;
      if (ended >= 0) {
        write(timeMs -> requests.finished(ended, timeMs));
      }
    }
    writeCopies(fromMs + spanMs);
  }

  /**
   * Lets time pass: partitions that are not silent get an event that counts nowhere.
   *
   * @param aheadMs how far after the last other event
   */
  void letTimePass(long aheadMs) {
    long timeMs = fromMs + spanMs + aheadMs;
    for (int partition = 0; partition < SPEAKING; partition++) {
      var like = requests.firstToken(0, timeMs);
      Routed routed = new Routed(like.context(), like.facts(), null);
      send(partition, timeMs, routed.context(), Codecs.REQUEST_EVENT.encode(routed));
    }
  }

  /** How many events must be counted as what. */
  Map<Arrival, Long> arrivals() {
    return arrivals;
  }

  /** How many records must be refused for what reason. */
  Map<Reason, Long> refusals() {
    return refusals;
  }

  private interface Happening {
    RequestEvent at(long timeMs);
  }

  private void write(Happening event) {
    long nowMs = fromMs + written++ * spanMs / events;
    writeCopies(nowMs);
    int partition = random.nextInt(nowMs < silentFromMs() ? SPEAKING + 1 : SPEAKING);
    if (random.nextInt(MANY) < MALFORMED) {
      writeMalformed(partition, nowMs, event.at(nowMs));
      return;
    }
    long highMs = this.highMs[partition];
    long partitionMs = partitionMs(partition, nowMs);
    Arrival arrival = choose(highMs);
    long timeMs =
        switch (arrival) {
          case AHEAD -> partitionMs + AHEAD_MS;
          case LATE -> highMs - BOUND_MS - 1 - random.nextLong(LATENESS_MS);
          case DROPPED -> highMs - BOUND_MS - LATENESS_MS - 1 - random.nextInt(FAR_TOO_LATE_MS);
          default -> partitionMs - random.nextLong(BOUND_MS + 1);
        };
    long countedAtMs =
        arrival == Arrival.AHEAD ? partitionMs : arrival == Arrival.DROPPED ? highMs : timeMs;
    this.highMs[partition] = Math.max(highMs, countedAtMs);
    count(partition, nowMs, event.at(timeMs), countedAtMs, arrival);
  }

  private Arrival choose(long highMs) {
    int chance = random.nextInt(MANY);
    if (chance < AHEAD) {
      return Arrival.AHEAD;
    }
    if (chance < AHEAD + LATE + DROPPED && highMs != NEVER) {
      return chance < AHEAD + LATE ? Arrival.LATE : Arrival.DROPPED;
    }
    return Arrival.ON_TIME;
  }

  private long silentFromMs() {
    return fromMs + spanMs / 4;
  }

  private static long partitionMs(int partition, long nowMs) {
    return partition == BEHIND ? nowMs - BEHIND_MS : nowMs;
  }

  private void count(
      int partition, long nowMs, RequestEvent event, long countedAtMs, Arrival arrival) {
    send(partition, nowMs, event.context(), Codecs.REQUEST_EVENT.encode(event));
    truth.add(event, countedAtMs, arrival);
    arrivals.merge(arrival, 1L, Long::sum);
    boolean counts = arrival != Arrival.DROPPED && arrival != Arrival.COPY;
    if (counts && random.nextInt(MANY) < COPIED) {
      long dueMs = nowMs + random.nextInt(COPIED_WITHIN_MS);
      if (dueMs < (partition == SOON_SILENT ? silentFromMs() : fromMs + spanMs)) {
        copies.add(new Copy(partition, dueMs, event));
      }
    }
  }

  /** A copy counts at its time as if it were none; where that is closed, at its partition's. */
  private void writeCopies(long untilMs) {
    while (!copies.isEmpty() && copies.peek().dueMs <= untilMs) {
      Copy copy = copies.poll();
      long recordMs = partitionMs(copy.partition, copy.dueMs);
      long ownMs = copy.event.context().eventTimeMs();
      long timeMs = ownMs > recordMs + ALLOWED_AHEAD_MS ? recordMs : ownMs;
      long highMs = this.highMs[copy.partition];
      boolean closed = timeMs < highMs - BOUND_MS - LATENESS_MS;
      count(copy.partition, copy.dueMs, copy.event, closed ? highMs : timeMs, Arrival.COPY);
    }
  }

  private void writeMalformed(int partition, long nowMs, RequestEvent event) {
    Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
    byte[] bytes = fault.in(Codecs.REQUEST_EVENT.encode(event));
    send(partition, nowMs, event.context(), bytes);
    refusals.merge(fault.reason(), 1L, Long::sum);
  }

  private void send(int partition, long nowMs, RequestContext context, byte[] value) {
    long recordMs = partitionMs(partition, nowMs);
    byte[] key = context.requestId().getBytes(StandardCharsets.UTF_8);
    out.accept(new ProducerRecord<>(Topics.REQUESTS, partition, recordMs, key, value));
  }
}
