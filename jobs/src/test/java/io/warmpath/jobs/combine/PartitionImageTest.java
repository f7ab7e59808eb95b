package io.warmpath.jobs.combine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.jobs.combine.Sequence.Verdict;
import io.warmpath.jobs.pane.PaneKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.junit.jupiter.api.Test;

/** State of earlier builds. */
class PartitionImageTest {

  private static final Path GOLDEN = Path.of("src/test/resources/serializers");

  /** As {@link RememberedPartition} was written: of its numbering 0 and 3 came, 1 and 2 did not. */
  @Test
  void isReadAlsoWhereMissingPartsHadOneTime() throws IOException {
    String hex = Files.readAllLines(GOLDEN.resolve("partition.parts-with-one-time.txt")).get(1);
    PartitionImage image =
        new PartitionImage.Serializer()
            .deserialize(new DataInputDeserializer(HexFormat.of().parseHex(hex)));
    PartitionMemory memory = image.toMemory(RememberedPartition.RULES);
    assertEquals(Verdict.COPY, note(memory, 3, 0));
    assertEquals(Verdict.NEW, note(memory, 3, 1));
    assertEquals(Verdict.NEW, note(memory, 2, 0));
    assertEquals(Verdict.COPY, note(memory, 2, 0));
    long[] lost = {0};
    memory.sequences().takeLost(memory.highMs() + 1, (key, count) -> lost[0] += count);
    assertEquals(1, lost[0]);
  }

  private static Verdict note(PartitionMemory memory, long seq, int part) {
    PaneKey replica = new PaneKey("m", "*", "r");
    return memory.sequences().note(new SequencePlace(replica, 0, 7, seq, part), memory.highMs());
  }
}
