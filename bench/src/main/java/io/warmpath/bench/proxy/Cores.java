package io.warmpath.bench.proxy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Who runs on which processors: each proxy on the first that this process may use, this process,
 * with clients, upstreams and broker, on all others. Nobody is bound where there is but one, or no
 * {@code taskset}.
 */
final class Cores implements AutoCloseable {

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String ALLOWED = "Cpus_allowed_list:";

  private final String all;
  private final String proxy;

  private Cores(String all, String proxy) {
    this.all = all;
    this.proxy = proxy;
  }

  /** Binds this process. */
  static Cores split() throws IOException, InterruptedException {
    String all = allowed();
    List<Integer> numbers = numbers(all);
    if (numbers.size() < 2 || Commands.find("taskset") == null) {
      return new Cores(all, null);
    }
    Cores cores = new Cores(all, numbers.get(0).toString());
    cores.bindSelf(String.join(",", numbers.stream().skip(1).map(String::valueOf).toList()));
    return cores;
  }

  /** Whether proxies have a processor of their own. */
  boolean areSplit() {
    return proxy != null;
  }

  /** The command, bound to the proxies' processor. */
  List<String> bound(List<String> command) {
    if (!areSplit()) {
      return command;
    }
    List<String> bound = new ArrayList<>(List.of("taskset", "-c", proxy));
    bound.addAll(command);
    return bound;
  }

  private static String allowed() throws IOException {
    if (!Files.isReadable(STATUS)) {
      return "";
    }
    return Files.readAllLines(STATUS).stream()
        .filter(line -> line.startsWith(ALLOWED))
        .map(line -> line.substring(ALLOWED.length()).trim())
        .findFirst()
        .orElse("");
  }

  /** The numbers in a list like {@code 0-3,8}. */
  static List<Integer> numbers(String list) {
    List<Integer> numbers = new ArrayList<>();
    for (String range : list.isEmpty() ? new String[0] : list.split(",")) {
      String[] ends = range.split("-");
      for (int n = Integer.parseInt(ends[0]); n <= Integer.parseInt(ends[ends.length - 1]); n++) {
        numbers.add(n);
      }
    }
    return numbers;
  }

  private void bindSelf(String list) throws IOException, InterruptedException {
    String self = Long.toString(ProcessHandle.current().pid());
    Process taskset =
        new ProcessBuilder("taskset", "-a", "-c", "-p", list, self)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (taskset.waitFor() != 0) {
      throw new IOException("cannot bind this process to the processors " + list);
    }
  }

  /** Lets this process run where it could before. */
  @Override
  public void close() throws IOException, InterruptedException {
    if (areSplit()) {
      bindSelf(all);
    }
  }
}
