package io.warmpath.bridge.state;

import io.warmpath.schemas.cache.CacheEvent;
import java.util.ArrayList;
import java.util.List;

/** The media that a replica's blocks lie in, numbered; more than a few are not followed. */
final class Media {

  /** Number of a medium that is not followed. */
  static final int NONE = -1;

  private final List<String> names = new ArrayList<>(List.of(CacheEvent.GPU));

  /** The number of a medium. */
  int number(String name) {
    int known = names.indexOf(name);
    if (known >= 0) {
      return known;
    }
    if (names.size() == MediumCounts.MEDIA) {
      return NONE;
    }
    names.add(name);
    return names.size() - 1;
  }

  /** The name of a number. */
  String name(int number) {
    return names.get(number);
  }

  /** Media so far. */
  int size() {
    return names.size();
  }
}
