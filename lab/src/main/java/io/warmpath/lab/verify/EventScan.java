package io.warmpath.lab.verify;

import io.warmpath.jobs.combine.CombineRules;
import io.warmpath.jobs.combine.Lateness;
import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.jobs.request.RequestFigures;
import io.warmpath.jobs.source.Inbound;
import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.jobs.source.RecordForm;
import io.warmpath.jobs.source.RecordReader;
import io.warmpath.jobs.window.PaneRing;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads the events once, to learn for which windows the log is enough. */
final class EventScan {

  private static final long SECOND_MS = 1_000;

  /** Events are forgotten together with others of about their time, so a little later. */
  private static final long STEP_MS = 10_000;

  /** An event and the time at which it was written, in whole seconds. */
  private record Behind(long timeMs, long writtenMs) {}

  private final CombineRules rules;
  private final LiveFront front;
  private final Map<TopicPartition, PartitionEdges> partitions = new HashMap<>();
  private final TreeMap<Long, Long> highestByWritten = new TreeMap<>();
  private final Set<Behind> behind = new HashSet<>();
  private final Map<String, Map<String, Long>> firstLossByModel = new HashMap<>();

  private long startMs = Long.MIN_VALUE;
  private long firstMs = Long.MAX_VALUE;
  private long lastMs = Long.MIN_VALUE;
  private long events;
  private long refused;

  EventScan(CombineRules rules, LiveFront front) {
    this.rules = rules;
    this.front = front;
  }

  /**
   * Records that were written before this are gone. Their events' times lie up to the skew that
   * events are allowed after that. Up to some time after these, what follows is judged by them: it
   * is late by their times, or a copy of them.
   */
  void goneBefore(long writtenMs) {
    Lateness lateness = rules.lateness();
    long judgedMs = Math.max(lateness.boundMs() + lateness.allowedMs(), rules.memoryMs() + STEP_MS);
    startMs = Math.max(startMs, writtenMs + RecordReader.MAX_AHEAD_MS + judgedMs + PaneKey.PANE_MS);
  }

  /**
   * Reads a topic's records.
   *
   * @param replayed the part of them that is replayed
   */
  <T> Consumer<ConsumerRecord<byte[], byte[]>> reader(RecordForm<T> form, Stretch replayed) {
    RecordReader<T> reader = new RecordReader<>(form);
    return record -> {
      TopicPartition partition = new TopicPartition(record.topic(), record.partition());
      boolean isReplayed = replayed.reaches(partition, record.offset());
      Inbound<T> inbound = reader.read(record);
      if (inbound instanceof Parsed<T> parsed) {
        take(parsed, partition, record.timestamp(), isReplayed);
        if (replayed.beginsLate() && parsed.value() instanceof RequestFigures request) {
          noteLoss(request, parsed.eventTimeMs());
        }
      } else if (isReplayed) {
        refused++;
      }
    };
  }

  private void take(Parsed<?> event, TopicPartition partition, long writtenMs, boolean isReplayed) {
    long timeMs = event.eventTimeMs();
    partitions
        .computeIfAbsent(partition, unseen -> new PartitionEdges(rules.lateness(), front))
        .event(timeMs, writtenMs, isReplayed);
    highestByWritten.merge(second(writtenMs), timeMs, Math::max);
    // No event is further ahead of its record than this, so others are not far behind any.
    if (timeMs < writtenMs + RecordReader.MAX_AHEAD_MS - keptMs() + SECOND_MS) {
      behind.add(new Behind(second(timeMs), second(writtenMs)));
    }
    if (isReplayed) {
      events++;
      firstMs = Math.min(firstMs, timeMs);
      lastMs = Math.max(lastMs, timeMs);
    }
  }

  private void noteLoss(RequestFigures event, long timeMs) {
    if (event.routerRun() != null) {
      firstLossByModel
          .computeIfAbsent(event.key().model(), unseen -> new HashMap<>())
          .merge(event.routerRun(), timeMs, Math::min);
    }
  }

  private long keptMs() {
    return PaneRing.RETENTION.toMillis() + rules.lateness().allowedMs();
  }

  private static long second(long timeMs) {
    return Math.floorDiv(timeMs, SECOND_MS) * SECOND_MS;
  }

  /** Events that are replayed. */
  long events() {
    return events;
  }

  /** Records that are replayed and hold none. */
  long refused() {
    return refused;
  }

  /** What was found. */
  Edges edges() {
    return new Edges(
        startMs,
        front.endMs(),
        partitions.values().stream()
            .mapToLong(PartitionEdges::untouchedUntilMs)
            .min()
            .orElse(Long.MAX_VALUE),
        firstMs,
        lastMs,
        returned(),
        firstLosses());
  }

  /** Events that were older, when they were written, than what is kept behind the newest. */
  private NavigableSet<Long> returned() {
    NavigableSet<Long> returned = new TreeSet<>();
    TreeMap<Long, Long> highest = new TreeMap<>();
    long highMs = Long.MIN_VALUE;
    for (Map.Entry<Long, Long> entry : highestByWritten.entrySet()) {
      highMs = Math.max(highMs, entry.getValue());
      highest.put(entry.getKey(), highMs);
    }
    for (Behind event : behind) {
      if (event.timeMs < highest.floorEntry(event.writtenMs).getValue() - keptMs() + SECOND_MS) {
        returned.add(event.timeMs);
      }
    }
    return returned;
  }

  private Map<String, TreeSet<Long>> firstLosses() {
    Map<String, TreeSet<Long>> losses = new HashMap<>();
    firstLossByModel.forEach((model, byRun) -> losses.put(model, new TreeSet<>(byRun.values())));
    return losses;
  }
}
