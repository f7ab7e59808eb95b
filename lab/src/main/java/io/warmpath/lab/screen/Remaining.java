package io.warmpath.lab.screen;

/**
 * How long a work will still take, if it goes on as it did so far.
 *
 * @param startNanos when it began, on the clock of {@link System#nanoTime}
 */
public record Remaining(long startNanos) {

  private static final long SECONDS_PER_MINUTE = 60;

  /** Of a work that begins then. */
  public static Remaining from(long startNanos) {
    return new Remaining(startNanos);
  }

  /**
   * For the end of a line of progress: ", 2 min 5 s left", or nothing before the first part is done
   * and after the last.
   */
  public String text(long done, long total, long nowNanos) {
    if (done <= 0 || done >= total) {
      return "";
    }
    double seconds = (nowNanos - startNanos) / 1e9 * (total - done) / done;
    return ", " + duration(Math.round(seconds)) + " left";
  }

  private static String duration(long seconds) {
    return seconds < SECONDS_PER_MINUTE
        ? seconds + " s"
        : seconds / SECONDS_PER_MINUTE + " min " + seconds % SECONDS_PER_MINUTE + " s";
  }
}
