package io.warmpath.lab.flink;

/** Reads what a stack trace says in one line. */
public final class StackTraces {

  private static final String CAUSED_BY = "Caused by: ";

  private StackTraces() {}

  /**
   * The message of the innermost cause; of other text, its first line.
   *
   * @param maxChars at most so much of it
   */
  public static String reason(String trace, int maxChars) {
    int last = trace.lastIndexOf(CAUSED_BY);
    String from = last < 0 ? trace : trace.substring(last + CAUSED_BY.length());
    String line = from.strip().lines().findFirst().orElse("").strip();
    return line.length() <= maxChars ? line : line.substring(0, maxChars) + "…";
  }
}
