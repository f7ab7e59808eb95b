package io.warmpath.lab.demo;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Request ids that tell arm, conversation and turn, so that events can be told apart again. */
final class Turns {

  private static final Pattern ID = Pattern.compile("founding-(.+)-c(\\d+)-t(\\d+)");

  private Turns() {}

  /** The request id of a turn. */
  static String requestId(String arm, int conversation, int turn) {
    return "founding-" + arm + "-c" + conversation + "-t" + turn;
  }

  static boolean isOf(String requestId, String arm) {
    Matcher id = ID.matcher(requestId);
    return id.matches() && id.group(1).equals(arm);
  }

  static int conversation(String requestId) {
    return Integer.parseInt(matched(requestId).group(2));
  }

  static int turn(String requestId) {
    return Integer.parseInt(matched(requestId).group(3));
  }

  private static Matcher matched(String requestId) {
    Matcher id = ID.matcher(requestId);
    if (!id.matches()) {
      throw new IllegalArgumentException("no request of the experiment: " + requestId);
    }
    return id;
  }
}
