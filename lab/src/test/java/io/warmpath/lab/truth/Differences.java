package io.warmpath.lab.truth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Where what was said is not the truth. */
public final class Differences {

  private final List<String> all = new ArrayList<>();
  private String row = "";

  /** What follows is about this row. */
  void about(String name) {
    row = name;
  }

  void require(String field, Object truth, Object said) {
    if (!Objects.equals(truth, said)) {
      note(field + " is " + said + ", not " + truth);
    }
  }

  void note(String what) {
    all.add(row + ": " + what);
  }

  /** Fails with the first ones, if there are any. */
  public void assertNone() {
    assertEquals(List.of(), all.subList(0, Math.min(20, all.size())), all.size() + " differences");
  }

  List<String> all() {
    return all;
  }
}
