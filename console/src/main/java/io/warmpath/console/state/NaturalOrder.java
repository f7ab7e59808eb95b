package io.warmpath.console.state;

import java.math.BigInteger;
import java.util.Comparator;

/** Orders names as people do: {@code replica-2} before {@code replica-10}. */
enum NaturalOrder implements Comparator<String> {
  INSTANCE;

  @Override
  public int compare(String a, String b) {
    int stemOfA = stemLength(a);
    int stemOfB = stemLength(b);
    int byStem = a.substring(0, stemOfA).compareTo(b.substring(0, stemOfB));
    if (byStem != 0) {
      return byStem;
    }
    int byNumber = number(a, stemOfA).compareTo(number(b, stemOfB));
    return byNumber != 0 ? byNumber : a.compareTo(b);
  }

  /** Length of the name without the digits at its end. */
  private static int stemLength(String name) {
    int end = name.length();
    while (end > 0 && name.charAt(end - 1) >= '0' && name.charAt(end - 1) <= '9') {
      end--;
    }
    return end;
  }

  private static BigInteger number(String name, int stemLength) {
    return stemLength == name.length()
        ? BigInteger.ONE.negate()
        : new BigInteger(name.substring(stemLength));
  }
}
