package io.warmpath.lab.simulate;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A change of one replica's speed, which the policies know only through what they measure.
 *
 * @param replica index of the replica, from 0
 * @param factor its speed from then on, 1 = normal, 0.5 = half as fast; 0.001 to 1000
 * @param fromMicros moment on the time line of the trace; {@link Long#MIN_VALUE} = from the start
 */
public record Slowdown(int replica, double factor, long fromMicros) {

  private static final Pattern SYNTAX =
      Pattern.compile(
          "(\\d{1,6})=(\\d{1,4}(?:\\.\\d{1,6})?)(?:@(\\d{1,12}(?:\\.\\d{1,6})?)(ms|s|m|h)?)?");

  private static final double LEAST_FACTOR = 0.001;
  private static final double GREATEST_FACTOR = 1_000;

  public Slowdown {
    if (replica < 0) {
      throw new IllegalArgumentException("replica must be at least 0: " + replica);
    }
    if (!(factor >= LEAST_FACTOR && factor <= GREATEST_FACTOR)) {
      throw new IllegalArgumentException("speed factor must be 0.001 to 1000: " + factor);
    }
  }

  /**
   * Parses {@code I=FACTOR[@TIME]}, {@code 3=0.5@600s} for instance. Units of time are ms, s, m and
   * h; s without one.
   *
   * @throws IllegalArgumentException for anything else
   */
  public static Slowdown parse(String text) {
    Matcher matcher = SYNTAX.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not I=FACTOR[@TIME], for instance 3=0.5@600s");
    }
    long from =
        matcher.group(3) == null
            ? Long.MIN_VALUE
            : Math.round(Double.parseDouble(matcher.group(3)) * unitMicros(matcher.group(4)));
    return new Slowdown(
        Integer.parseInt(matcher.group(1)), Double.parseDouble(matcher.group(2)), from);
  }

  private static double unitMicros(String unit) {
    return switch (unit == null ? "s" : unit) {
      case "ms" -> 1e3;
      case "m" -> 60e6;
      case "h" -> 3_600e6;
      default -> 1e6;
    };
  }
}
