package io.warmpath.lab.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Where what was said is not the truth. */
final class Differences {

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

  List<String> all() {
    return all;
  }
}
