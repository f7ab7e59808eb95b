package io.warmpath.bench.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.bench.index.IndexReplay.Figures;
import io.warmpath.lab.trace.Trace;
import io.warmpath.lab.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexReplayTest {

  @TempDir Path folder;

  @Test
  void playsEachRequestWhereItsPromptIsCached() throws IOException {
    IndexScript script = new IndexScript(trace(), 2, 0, 512);

    assertEquals(List.of(0, 1, 0), replicas(script));
    assertEquals(List.of(0, 0, 2), cached(script));
    assertEquals(2 + 1 + 3, script.askedBlocks());
    assertEquals(2 + 1 + 1, script.changedBlocks());
  }

  @Test
  void countsWhatLeavesAFullCache() throws IOException {
    IndexScript script = new IndexScript(trace(), 1, 2, 512);

    // Of the last prompt, one block stays and one of the other prompt leaves for it.
    assertEquals(2 + (1 + 1) + (1 + 1), script.changedBlocks());
  }

  @Test
  void cutsBlocksIntoEqualParts() throws IOException {
    IndexScript script = new IndexScript(trace(), 2, 0, 64);

    assertEquals(8 * (2 + 1 + 3), script.askedBlocks());
    assertEquals(List.of(0, 0, 16), cached(script));
    assertThrows(IllegalArgumentException.class, () -> new IndexScript(trace(), 2, 0, 100));
  }

  @Test
  void measuresBothUsesOnTheSameOperations() throws IOException {
    List<Figures> uses = new IndexReplay(trace(), 2, 2, 512).measure(0);

    assertEquals(2, uses.size());
    for (Figures use : uses) {
      assertEquals(1, use.passes());
      assertEquals(uses.get(0).operations(), use.operations());
      assertTrue(use.operationsPerSecond() > 0);
    }
  }

  private static List<Integer> replicas(IndexScript script) {
    return script.steps().stream().map(IndexScript.Step::replica).toList();
  }

  private static List<Integer> cached(IndexScript script) {
    return script.steps().stream().map(IndexScript.Step::cached).toList();
  }

  /** A conversation of two turns, and another prompt between them. */
  private Trace trace() throws IOException {
    Path file = folder.resolve("trace.jsonl");
    Files.writeString(
        file,
        """
        {"timestamp": 0, "input_length": 1024, "output_length": 1, "hash_ids": [0, 1]}
        {"timestamp": 1, "input_length": 512, "output_length": 1, "hash_ids": [2]}
        {"timestamp": 2, "input_length": 1536, "output_length": 1, "hash_ids": [0, 1, 3]}
        """);
    return TraceReader.read(file);
  }
}
