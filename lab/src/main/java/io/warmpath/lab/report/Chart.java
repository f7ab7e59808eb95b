package io.warmpath.lab.report;

import java.util.List;
import java.util.stream.IntStream;

/** A chart as SVG, and what its colours stand for. */
public interface Chart {

  /** Colours that a page has; further series begin anew. */
  int COLOURS = 7;

  /** The picture. */
  String svg();

  /** What its colours stand for; empty where that needs no words. */
  List<Key> legend();

  /**
   * A colour and what it stands for.
   *
   * @param name what
   * @param colour number of one of the page's colours
   */
  record Key(String name, int colour) {

    /** Names with the page's colours in their order. */
    static List<Key> inOrder(List<String> names) {
      return IntStream.range(0, names.size())
          .mapToObj(i -> new Key(names.get(i), i % COLOURS))
          .toList();
    }
  }
}
