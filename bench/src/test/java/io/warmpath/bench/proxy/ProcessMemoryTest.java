package io.warmpath.bench.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProcessMemoryTest {

  private static final int BLOCK = 64 << 20;

  private final long self = ProcessHandle.current().pid();

  @BeforeEach
  void needsLinuxAndJdk() {
    assumeTrue(Files.exists(Path.of("/proc/self/status")), "no /proc");
    assumeTrue(
        Files.exists(Path.of(System.getProperty("java.home"), "bin", "jcmd")), "no jcmd here");
  }

  @Test
  void heapIsWhatIsReachable() throws Exception {
    long before = ProcessMemory.of(self).heapBytes();
    byte[] kept = new byte[BLOCK];
    long with = ProcessMemory.of(self).heapBytes();
    Reference.reachabilityFence(kept);
    kept = null;
    long after = ProcessMemory.of(self).heapBytes();

    assertEquals(BLOCK, with - before, 0.1 * BLOCK);
    assertEquals(before, after, 0.1 * BLOCK);
  }

  @Test
  void countsFilesAndThreads() throws Exception {
    ProcessMemory memory = ProcessMemory.of(self);
    assertTrue(memory.openFiles() > 2, memory.toString());
    assertTrue(memory.threads() > 2, memory.toString());
    assertTrue(memory.residentBytes() > memory.heapBytes() / 2, memory.toString());
  }
}
