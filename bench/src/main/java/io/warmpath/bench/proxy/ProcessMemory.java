package io.warmpath.bench.proxy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a JVM beside this one holds. Only on Linux.
 *
 * @param heapBytes objects that are reachable, after a full collection
 * @param residentBytes memory of the process
 * @param openFiles files and sockets
 * @param threads all threads
 */
record ProcessMemory(long heapBytes, long residentBytes, int openFiles, int threads) {

  /**
   * Looks at a JVM, which collects its garbage for it.
   *
   * @throws IOException if it is gone, or this JDK has no {@code jcmd}
   */
  static ProcessMemory of(long pid) throws IOException, InterruptedException {
    long heapBytes = heapBytes(pid);
    Path process = Path.of("/proc", Long.toString(pid));
    List<String> status = Files.readAllLines(process.resolve("status"));
    try (Stream<Path> files = Files.list(process.resolve("fd"))) {
      return new ProcessMemory(
          heapBytes,
          number(status, "VmRSS:") * 1024,
          (int) files.count(),
          (int) number(status, "Threads:"));
    }
  }

  private static long heapBytes(long pid) throws IOException, InterruptedException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process process =
        new ProcessBuilder(jcmd, Long.toString(pid), "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    List<String> lines = process.inputReader().lines().toList();
    if (process.waitFor() != 0) {
      throw new IOException("jcmd: " + String.join("; ", lines));
    }
    // Total, objects, bytes.
    return number(lines, "Total", 2);
  }

  private static long number(List<String> lines, String name) {
    return number(lines, name, 1);
  }

  private static long number(List<String> lines, String name, int column) {
    return lines.stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.trim().split("\\s+")[column]))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no " + name + " in " + lines));
  }
}
