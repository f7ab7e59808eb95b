package io.warmpath.console.export;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * HAProxy, through its runtime API. What it answers is checked, and the weights are read back; as a
 * restarted HAProxy begins with those of its file, they are read again now and then.
 */
final class HaproxyTarget implements RouterTarget {

  /** HAProxy takes a line of less than its buffer, 16 KiB by default. */
  private static final int LINE_CHARS = 8 << 10;

  private static final int SHOWN_CHARS = 300;
  private static final String BACKEND = "be_name";
  private static final String SERVER = "srv_name";
  private static final String WEIGHT = "srv_uweight";

  private final HaproxySocket socket;

  HaproxyTarget(HaproxySocket socket) {
    this.socket = socket;
  }

  @Override
  public WeightScale scale() {
    return WeightScale.UP_TO_256;
  }

  @Override
  public String render(RouterWeights weights) {
    StringBuilder text = new StringBuilder();
    weights.replicas().forEach(one -> text.append(command(one)).append('\n'));
    return text.toString();
  }

  private static String command(RouterWeight one) {
    return "set server " + place(one.replica()) + " weight " + one.weight();
  }

  private static String place(MappedReplica replica) {
    return replica.backend() + "/" + replica.server();
  }

  @Override
  public boolean apply(RouterWeights weights, long nowMs) throws IOException {
    StringBuilder said = new StringBuilder();
    for (String line : lines(weights)) {
      said.append(socket.ask(line).strip());
    }
    List<String> wrong = differences(weights);
    if (!said.isEmpty() || !wrong.isEmpty()) {
      throw new IOException(
          "HAProxy did not take all weights: %s %s"
              .formatted(said.substring(0, Math.min(said.length(), SHOWN_CHARS)), wrong));
    }
    return true;
  }

  /** As few lines as can be: HAProxy takes the commands of a line in one go. */
  private static List<String> lines(RouterWeights weights) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (RouterWeight one : weights.replicas()) {
      String command = command(one);
      if (line.length() + command.length() > LINE_CHARS) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : ";").append(command);
    }
    lines.add(line.toString());
    return lines;
  }

  @Override
  public boolean holds(RouterWeights applied) throws IOException {
    return differences(applied).isEmpty();
  }

  /** Servers whose weight is another one, with it. */
  private List<String> differences(RouterWeights weights) throws IOException {
    Set<String> backends = new LinkedHashSet<>();
    weights.replicas().forEach(one -> backends.add(one.replica().backend()));
    Map<String, Integer> now = new HashMap<>();
    for (String backend : backends) {
      now.putAll(state(socket.ask("show servers state " + backend)));
    }
    return weights.replicas().stream()
        .filter(one -> !Integer.valueOf(one.weight()).equals(now.get(place(one.replica()))))
        .map(one -> place(one.replica()) + " has " + now.getOrDefault(place(one.replica()), -1))
        .map(text -> text.replace("has -1", "is not there"))
        .toList();
  }

  /**
   * Weights by {@code backend/server}, of an answer to {@code show servers state}: a line with the
   * version, one with {@code #} and the columns' names, one a server (management guide, 9.3).
   */
  static Map<String, Integer> state(String answer) throws IOException {
    Map<String, Integer> weights = new HashMap<>();
    List<String> columns = List.of();
    for (String line : answer.lines().toList()) {
      if (line.startsWith("#")) {
        columns = List.of(line.substring(1).strip().split(" "));
      } else if (!columns.isEmpty() && !line.isBlank()) {
        String[] fields = line.split(" ");
        weights.put(
            field(fields, columns, BACKEND) + "/" + field(fields, columns, SERVER),
            number(field(fields, columns, WEIGHT)));
      }
    }
    if (columns.isEmpty()) {
      throw new IOException("HAProxy says: " + answer.strip());
    }
    return weights;
  }

  private static String field(String[] fields, List<String> columns, String name)
      throws IOException {
    int column = columns.indexOf(name);
    if (column < 0 || column >= fields.length) {
      throw new IOException("HAProxy shows no " + name);
    }
    return fields[column];
  }

  private static int number(String text) throws IOException {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IOException("HAProxy's " + WEIGHT + " is no number: " + text, e);
    }
  }
}
