package io.warmpath.replica.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.schemas.HashList;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.codec.Codecs;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CacheEventPublisherTest {

  private final RecordingSink sink = new RecordingSink();
  private final CacheEventLog log = new CacheEventLog(16, () -> 1_796_083_200_000L);
  private TokenCounters counters = new TokenCounters(0, 0);
  private long nowMs = 1_796_083_200_000L;
  private final CacheEventPublisher publisher = publisher();

  private CacheEventPublisher publisher() {
    return new CacheEventPublisher(
        "replica-0", "m", 1_796_082_600_000L, log, () -> counters, () -> nowMs, sink);
  }

  @AfterEach
  void close() {
    publisher.close();
  }

  @Test
  void neighboursOfOneKindTravelTogetherAndOrderIsKept() {
    log.onStored(1);
    log.onStored(2);
    log.onRemoved(1);
    log.onPrefill(prefill("a"));
    log.onStored(3);
    log.onCleared();
    publisher.flush();
    assertEquals(
        List.of(
            new CacheEvent.Stored(HashList.of(1, 2), 16, CacheEvent.GPU, 0),
            new CacheEvent.Removed(HashList.of(1), CacheEvent.GPU, 0),
            prefill("a"),
            new CacheEvent.Stored(HashList.of(3), 16, CacheEvent.GPU, 0),
            new CacheEvent.Cleared()),
        sink.events());
  }

  @Test
  void batchSaysWhereItComesFromAndIsNumbered() {
    publisher.flush();
    log.onStored(1);
    publisher.flush();
    publisher.flush();
    log.onStored(2);
    publisher.flush();
    assertEquals(List.of(0L, 1L), sink.batches.stream().map(CacheEventBatch::seq).toList());
    CacheEventBatch first = sink.batches.get(0);
    assertEquals("replica-0", first.replica());
    assertEquals(1_796_082_600_000L, first.incarnation());
    assertEquals(1_796_083_200_000L, first.eventTimeMs());
    assertEquals(CacheEventBatch.Source.ENGINE, first.source());
    assertEquals(null, first.part());
  }

  @Test
  void restartLosesWhatWasNotToldAndBeginsAnew() {
    log.onStored(1);
    publisher.flush();
    counters = new TokenCounters(100, 50);
    log.onStored(2);
    log.restart(new TokenCounters(100, 50));
    log.onStored(3);
    counters = new TokenCounters(130, 60);
    publisher.flush();
    publisher.flushWithCounters();
    CacheEventBatch fresh = sink.batches.get(1);
    assertEquals(nowMs, fresh.incarnation());
    assertEquals(0, fresh.seq());
    assertEquals(
        List.of(new CacheEvent.Stored(HashList.of(3), 16, CacheEvent.GPU, 0)), fresh.events());
    assertEquals(1, sink.batches.get(2).seq());
    CacheEvent.Counters told = (CacheEvent.Counters) sink.batches.get(2).events().get(0);
    assertEquals(30, told.queriedTokens());
    assertEquals(10, told.hitTokens());
  }

  @Test
  void largeBatchIsSplitIntoPartsThatAReaderTakes() {
    for (int i = 0; i < 120_000; i++) {
      log.onStored(i);
    }
    log.onPrefill(prefill("a"));
    for (int i = 0; i < 60_000; i++) {
      log.onRemoved(i);
    }
    publisher.flush();
    assertTrue(sink.batches.size() >= 4);
    int hashes = 0;
    for (int i = 0; i < sink.batches.size(); i++) {
      CacheEventBatch part = sink.batches.get(i);
      assertEquals(i, part.part());
      assertEquals(0, part.seq());
      byte[] bytes = Codecs.CACHE_EVENT_BATCH.encode(part);
      assertTrue(bytes.length < 512 * 1024);
      assertEquals(part, Codecs.CACHE_EVENT_BATCH.decode(bytes));
      hashes += part.events().stream().mapToInt(CacheEventPublisherTest::hashes).sum();
    }
    assertEquals(180_000, hashes);
  }

  @Test
  void partsStaySmallWithTheLongestNames() {
    for (int i = 0; i < 2_000; i++) {
      log.onPrefill(prefill("\u0001".repeat(128)));
    }
    publisher.flush();
    for (CacheEventBatch part : sink.batches) {
      assertTrue(Codecs.CACHE_EVENT_BATCH.encode(part).length < 512 * 1024);
    }
  }

  @Test
  void whatIsLostLeavesANumberOut() {
    for (int i = 0; i < CacheEventLog.MAX_HASHES + 10; i++) {
      log.onStored(i);
    }
    log.onCleared();
    publisher.flush();
    log.onStored(7);
    publisher.flush();
    int hashes = sink.events().stream().mapToInt(CacheEventPublisherTest::hashes).sum();
    assertEquals(CacheEventLog.MAX_HASHES + 1, hashes);
    assertEquals(2, sink.batches.get(sink.batches.size() - 1).seq());
  }

  @Test
  void countersAreToldByTheirRise() {
    counters = new TokenCounters(5_200, 0);
    publisher.flushWithCounters();
    counters = new TokenCounters(10_400, 4_592);
    nowMs += 1_000;
    log.onPrefill(prefill("a"));
    publisher.flushWithCounters();
    assertEquals(
        List.of(
            new CacheEvent.Counters(5_200, 0, 600_000),
            prefill("a"),
            new CacheEvent.Counters(5_200, 4_592, 1_000)),
        sink.events());
    assertEquals(nowMs, sink.batches.get(1).eventTimeMs());
  }

  @Test
  void anIdleEngineStillShowsThatNothingIsMissing() {
    publisher.flushWithCounters();
    nowMs += 1_000;
    publisher.flushWithCounters();
    assertEquals(new CacheEvent.Counters(0, 0, 1_000), sink.events().get(1));
    assertEquals(List.of(0L, 1L), sink.batches.stream().map(CacheEventBatch::seq).toList());
  }

  @Test
  void closingTellsWhatWasNotToldYet() {
    counters = new TokenCounters(64, 48);
    CacheEventPublisher started = publisher();
    started.start(() -> null, Duration.ofDays(1), Duration.ofDays(1));
    started.close();
    assertEquals(List.of(new CacheEvent.Counters(64, 48, 600_000)), sink.events());
  }

  @Test
  void oneThatWasNeverStartedSendsNothingAtItsEnd() {
    publisher().close();
    assertEquals(List.of(), sink.batches);
    assertTrue(sink.closed);
  }

  @Test
  void aBatchIsNotOlderThanItsEvents() {
    log.onPrefill(prefill("a"));
    nowMs -= 1;
    publisher.flushWithCounters();
    assertEquals(1_796_083_200_000L, sink.batches.get(0).eventTimeMs());
  }

  private static CacheEvent.Prefill prefill(String id) {
    return new CacheEvent.Prefill(id, "adaptive", 100, 48, 900, null);
  }

  private static int hashes(CacheEvent event) {
    if (event instanceof CacheEvent.Stored stored) {
      return stored.hashesB64().size();
    }
    return event instanceof CacheEvent.Removed removed ? removed.hashesB64().size() : 0;
  }
}
