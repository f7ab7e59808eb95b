package io.warmpath.bench.pipeline;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/**
 * What this process has used so far.
 *
 * @param cpuNanos processor time
 * @param cpuNanosByUser that time by who used it, as far as the threads still live; {@link
 *     CpuUser#OTHERS} is what no other user accounts for, by clocks that differ a little
 * @param allocatedBytes bytes that living threads have allocated on the heap
 */
record ProcessUse(long cpuNanos, Map<CpuUser, Long> cpuNanosByUser, long allocatedBytes) {

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The system's view of this process's threads; there is none but on Linux. */
  private static final Path TASKS = Path.of("/proc/self/task");

  /** Up to now. */
  static ProcessUse now() {
    Map<CpuUser, Long> byUser = new EnumMap<>(CpuUser.class);
    long allocated = 0;
    for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (thread != null) {
        long nanos = THREADS.getThreadCpuTime(thread.getThreadId());
        byUser.merge(CpuUser.of(thread.getThreadName()), Math.max(0, nanos), Long::sum);
        allocated += Math.max(0, THREADS.getThreadAllocatedBytes(thread.getThreadId()));
      }
    }
    addVirtualMachine(byUser);
    byUser.remove(CpuUser.OTHERS);
    long cpuNanos = SYSTEM.getProcessCpuTime();
    long known = byUser.values().stream().mapToLong(Long::longValue).sum();
    byUser.put(CpuUser.OTHERS, cpuNanos - known);
    return new ProcessUse(cpuNanos, byUser, allocated);
  }

  /** Java tells of no compilers and collectors; the system does. */
  private static void addVirtualMachine(Map<CpuUser, Long> byUser) {
    if (!Files.isDirectory(TASKS)) {
      return;
    }
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      for (Path task : tasks) {
        addIfOfVirtualMachine(task, byUser);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void addIfOfVirtualMachine(Path task, Map<CpuUser, Long> byUser)
      throws IOException {
    try {
      CpuUser user = CpuUser.of(Files.readString(task.resolve("comm")).strip());
      if (user == CpuUser.COMPILERS || user == CpuUser.COLLECTOR) {
        String nanos = Files.readString(task.resolve("schedstat")).split(" ", 2)[0];
        byUser.merge(user, Long.parseLong(nanos), Long::sum);
      }
    } catch (NoSuchFileException e) {
      // It has ended meanwhile.
    }
  }

  /** What was used of processor time since then, in µs an event. */
  Map<CpuUser, Double> cpuMicrosSince(ProcessUse before, double events) {
    Map<CpuUser, Double> micros = new EnumMap<>(CpuUser.class);
    for (CpuUser user : CpuUser.values()) {
      long nanos =
          cpuNanosByUser.getOrDefault(user, 0L) - before.cpuNanosByUser.getOrDefault(user, 0L);
      micros.put(user, nanos / 1000.0 / events);
    }
    return micros;
  }
}
