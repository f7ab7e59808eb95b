package io.warmpath.lab.verify;

import io.warmpath.jobs.combine.CombineRules;
import io.warmpath.jobs.combine.Lateness;
import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.jobs.request.RequestFigures;
import io.warmpath.jobs.source.Inbound;
import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.jobs.source.RecordForm;
import io.warmpath.jobs.source.RecordReader;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads the events once, to learn for which windows the log is enough. */
final class EventScan {

  /** Events are forgotten together with others of about their time, so a little later. */
  private static final long STEP_MS = 10_000;

  private final CombineRules rules;
  private final LiveFront front;
  private final Map<TopicPartition, PartitionEdges> partitions = new HashMap<>();
  private final ReturnedEvents returned;
  private final Map<String, Map<String, Long>> firstLossByModel = new HashMap<>();

  private long startMs = Long.MIN_VALUE;
  private long firstMs = Long.MAX_VALUE;
  private long lastMs = Long.MIN_VALUE;
  private long events;
  private long refused;

  EventScan(CombineRules rules, LiveFront front) {
    this.rules = rules;
    this.front = front;
    this.returned = new ReturnedEvents(rules.lateness());
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
    PartitionEdges edges =
        partitions.computeIfAbsent(
            partition, unseen -> new PartitionEdges(rules.lateness(), front));
    long countedMs = edges.event(timeMs, writtenMs, isReplayed);
    returned.event(countedMs, edges.highMs(), writtenMs);
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
        returned.keptFromMsByTime(),
        firstLosses());
  }

  private Map<String, TreeSet<Long>> firstLosses() {
    Map<String, TreeSet<Long>> losses = new HashMap<>();
    firstLossByModel.forEach((model, byRun) -> losses.put(model, new TreeSet<>(byRun.values())));
    return losses;
  }
}
