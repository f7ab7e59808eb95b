package io.warmpath.lab.verify;

import io.warmpath.lab.embedded.DataFolder;
import io.warmpath.lab.embedded.EmbeddedFlink;
import io.warmpath.schemas.topic.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * Replays the event log through the jobs, and compares every final row and every decision with what
 * was published, and replays at different parallelisms with each other. Nothing is written to
 * Kafka.
 */
public final class VerifyLog {

  private static final String PUBLISHED_ROWS = "published-rows";
  private static final String PUBLISHED_DECISIONS = "published-decisions";

  /** Runs a replay that writes to a folder. */
  private interface Run {
    void of(Replay replay, Path folder);
  }

  private final VerifyOptions options;
  private final Steps steps;
  private final Path work;
  private final List<String> sources = new ArrayList<>(List.of("published"));
  private final Published published = new Published();

  private VerifyLog(VerifyOptions options, Steps steps, Path work) {
    this.options = options;
    this.steps = steps;
    this.work = work;
    options.parallelisms().forEach(each -> sources.add("replay at parallelism " + each));
  }

  /**
   * Verifies a log.
   *
   * @param progress told what is done now
   * @throws IOException if temporary files cannot be written
   */
  public static VerifyReport run(VerifyOptions options, Consumer<String> progress)
      throws IOException {
    try (DataFolder folder = DataFolder.temporary("verify")) {
      return new VerifyLog(options, new Steps(progress), folder.path()).run();
    }
  }

  private VerifyReport run() throws IOException {
    try (KafkaLog kafka = new KafkaLog(options.kafka());
        FinalRecords rows = new FinalRecords(sources.size());
        FinalRecords decisions = new FinalRecords(sources.size());
        EmbeddedFlink flink = EmbeddedFlink.start(options.mostParallelism())) {
      // What was made of something is looked at before it, so that all it was made of is there.
      Stretch decisionLog = whole(kafka, Topics.WEIGHT_DECISIONS);
      Stretch rowLog = whole(kafka, Topics.ROUTING_STATS);
      EventLog events = EventLog.of(kafka, options.fromMs(), options.toMs());

      readPublished(kafka, rowLog, decisionLog);
      EventScan scan = scan(kafka, events, rowLog);
      collect(
          rows,
          PUBLISHED_ROWS,
          "rows",
          flink,
          (replay, into) -> replay.rows(events, options.stats(), into));
      collect(
          decisions,
          PUBLISHED_DECISIONS,
          "decisions",
          flink,
          (replay, into) -> replay.decisions(rowLog, options.weights(), into));

      steps.begin("comparing", 0);
      boolean fromTheFirstRow = !rowLog.beginsLate() && !decisionLog.beginsLate();
      return VerifyReport.of(
          options,
          scan,
          new RowComparison(rows, sources, published.provisionalKeys(), scan.edges()).run(),
          new DecisionComparison(
                  decisions, sources, fromTheFirstRow, options.toMs().orElse(Long.MAX_VALUE))
              .run(published.decidedTwice()),
          published.unreadable());
    }
  }

  private Stretch whole(KafkaLog kafka, String topic) {
    return kafka.stretch(topic, options.fromMs(), kafka.ends(topic));
  }

  private void readPublished(KafkaLog kafka, Stretch rowLog, Stretch decisionLog)
      throws IOException {
    steps.begin("reading what was published", 0);
    published.readRows(kafka, rowLog, folder(PUBLISHED_ROWS).resolve("records"));
    published.readDecisions(kafka, decisionLog, folder(PUBLISHED_DECISIONS).resolve("records"));
  }

  private EventScan scan(KafkaLog kafka, EventLog events, Stretch rowLog) {
    EventScan scan = new EventScan(options.stats().rules(), published.front());
    GoneRecords gone = new GoneRecords(kafka, options.kafka(), options.fromMs());
    Stream.concat(events.replayed().values().stream(), Stream.of(rowLog))
        .map(gone::writtenBeforeMs)
        .forEach(written -> written.ifPresent(scan::goneBefore));
    LongConsumer progress = steps.begin("reading events", events.offsets());
    AtomicLong read = new AtomicLong();
    for (Stretch replayed : events.replayed().values()) {
      kafka.read(
          events.withWhatFollows(replayed),
          scan.reader(EventLog.FORMS.get(replayed.topic()), replayed)
              .andThen(record -> progress.accept(read.incrementAndGet())));
    }
    return scan;
  }

  /** Takes in what was published and what each replay gives. */
  private void collect(
      FinalRecords records, String publishedFolder, String what, EmbeddedFlink flink, Run run)
      throws IOException {
    records.add(0, folder(publishedFolder));
    long expectedBytes = RecordFile.bytesIn(folder(publishedFolder));
    for (int source = 1; source < sources.size(); source++) {
      Path into = folder(what + "-" + source);
      LongConsumer progress = steps.begin(what + ", " + sources.get(source), expectedBytes);
      run.of(
          new Replay(
              flink,
              options.parallelisms().get(source - 1),
              () -> progress.accept(RecordFile.bytesIn(into))),
          into);
      records.add(source, into);
    }
  }

  private Path folder(String name) throws IOException {
    return Files.createDirectories(work.resolve(name));
  }
}
