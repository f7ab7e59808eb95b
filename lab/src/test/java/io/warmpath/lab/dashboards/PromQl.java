package io.warmpath.lab.dashboards;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the tests need to know of an expression, read off its text. */
final class PromQl {

  private static final Pattern STRING = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");
  private static final Pattern SELECTOR = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)\\{([^}]*)}");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)");
  private static final Pattern LABEL_LIST =
      Pattern.compile("\\b(by|without|on|ignoring|group_left|group_right)\\s*(?:\\(([^)]*)\\))?");
  private static final Pattern NAME = Pattern.compile("(?<![\\w:$])([a-zA-Z_:][\\w:]*)(\\s*\\()?");
  private static final Pattern COMPARISON =
      Pattern.compile("\\s*(?:==|!=|<=|>=|<|>)\\s*-?[0-9.]+(?:\\s*[*/]\\s*[0-9.]+)*");
  private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset");

  private PromQl() {}

  /** Names of the metrics that an expression asks for. */
  static Set<String> metrics(String expression) {
    String bare = LABEL_LIST.matcher(withoutStrings(expression)).replaceAll(" ");
    bare = bare.replaceAll("\\{[^}]*}", " ").replaceAll("\\[[^]]*]", " ");
    bare = bare.replaceAll("label_values\\(([^,)]*),[^)]*\\)", "$1");
    Set<String> metrics = new TreeSet<>();
    Matcher name = NAME.matcher(bare);
    while (name.find()) {
      if (name.group(2) == null && !WORDS.contains(name.group(1))) {
        metrics.add(name.group(1));
      }
    }
    return metrics;
  }

  /** Labels that an expression asks for in the selectors of a metric. */
  static Set<String> labels(String expression, String metric) {
    Set<String> labels = new TreeSet<>();
    Matcher selector = SELECTOR.matcher(withoutStrings(expression));
    while (selector.find()) {
      if (selector.group(1).equals(metric)) {
        LABEL.matcher(selector.group(2)).results().forEach(label -> labels.add(label.group(1)));
      }
    }
    return labels;
  }

  /** An alert's expression without what it compares with: a value at all times. */
  static String withoutComparisons(String expression) {
    StringBuilder rest = new StringBuilder();
    Matcher string = STRING.matcher(expression);
    int from = 0;
    while (string.find()) {
      rest.append(COMPARISON.matcher(expression.substring(from, string.start())).replaceAll(""));
      rest.append(string.group());
      from = string.end();
    }
    return rest.append(COMPARISON.matcher(expression.substring(from)).replaceAll("")).toString();
  }

  private static String withoutStrings(String expression) {
    return STRING.matcher(expression).replaceAll("\"\"");
  }
}
