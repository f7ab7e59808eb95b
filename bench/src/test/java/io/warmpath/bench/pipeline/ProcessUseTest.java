package io.warmpath.bench.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessUseTest {

  private static final double ACCURACY = 1e-9;

  @ParameterizedTest
  @CsvSource({
    "Source: stats: read requests -> stats: combine requests into panes (1/2)#0, WORK",
    "stats: merge panes into windows (2/2)#3, WORK",
    "bench-4f1c-StreamThread-1, WORK",
    "plain-consumer-0, WORK",
    "Source Data Fetcher for Source: stats: read requests (1/2)#0, FETCHERS",
    "kafka-producer-network-thread | producer-1, KAFKA_CLIENTS",
    "AsyncOperations-thread-1, CHECKPOINTS",
    "C2 CompilerThre, COMPILERS",
    "C1 CompilerThre, COMPILERS",
    "GC Thread#0, COLLECTOR",
    "G1 Conc#0, COLLECTOR",
    "VM Thread, COLLECTOR",
    "OutputFlusher for Source: stats: read requests, OTHERS",
    "main, OTHERS"
  })
  void threadsBelongToWhomTheirNamesSay(String thread, CpuUser user) {
    assertEquals(user, CpuUser.of(thread));
  }

  @Test
  void whatIsSplitUpAddsUpToAllOfIt() {
    Map<CpuUser, Long> byUser =
        Map.of(CpuUser.WORK, 4_000L, CpuUser.COLLECTOR, 1_000L, CpuUser.OTHERS, 500L);
    ProcessUse before = new ProcessUse(1_000, Map.of(CpuUser.WORK, 1_000L), 0);
    ProcessUse after = new ProcessUse(5_500, byUser, 0);
    Map<CpuUser, Double> micros = after.cpuMicrosSince(before, 3);
    assertEquals(1.0, micros.get(CpuUser.WORK), ACCURACY);
    assertEquals(0.0, micros.get(CpuUser.COMPILERS), ACCURACY);
    assertEquals(1.5, micros.values().stream().mapToDouble(each -> each).sum(), ACCURACY);
  }

  @Test
  void thisProcessHasUsedSomething() {
    ProcessUse now = ProcessUse.now();
    assertTrue(now.cpuNanos() > 0);
    assertTrue(now.allocatedBytes() > 0);
    assertEquals(
        now.cpuNanos(), now.cpuNanosByUser().values().stream().mapToLong(each -> each).sum());
  }
}
