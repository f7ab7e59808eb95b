package io.warmpath.jobs.combine;

import io.warmpath.jobs.pane.PaneKey;
import java.time.Duration;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** A partition of which something of each kind is remembered, for tests of other packages. */
public final class RememberedPartition {

  static final CombineRules RULES =
      CombineRules.of(Duration.ofSeconds(2), Duration.ofSeconds(60), Duration.ofSeconds(120), 8, 8);

  private RememberedPartition() {}

  /** How state holds it. */
  public static TypeSerializer<?> serializer() {
    return new PartitionImage.Serializer();
  }

  /** The partition. */
  public static Object at(long timeMs) {
    PartitionMemory memory = new PartitionMemory(RULES);
    memory.passed(41);
    memory.raise(timeMs);
    memory.keys().of(new PaneKey("m", "adaptive", "r"), timeMs);
    memory.counted().add(0x0123456789ABCDEFL, timeMs, timeMs);
    memory.counted().add(-1, timeMs - 25_000, timeMs);
    PaneKey replica = new PaneKey("m", "*", "r");
    memory.sequences().note(new SequencePlace(replica, 0, 7, 0, 0), timeMs);
    memory.sequences().note(new SequencePlace(replica, 0, 7, 3, 0), timeMs);
    return PartitionImage.of("llm.requests", 5, memory);
  }
}
