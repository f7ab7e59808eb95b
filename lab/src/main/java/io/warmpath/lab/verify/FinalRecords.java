package io.warmpath.lab.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The last record of each key by several sources. Values stay in the sources' files; only where
 * they lie is in memory.
 */
final class FinalRecords implements AutoCloseable {

  private static final long NONE = -1;
  private static final int FILE_SHIFT = 48;

  private final int sources;
  private final Map<String, long[]> places = new HashMap<>();
  private final List<RecordFile> files = new ArrayList<>();

  /**
   * @param sources how many there are
   */
  FinalRecords(int sources) {
    this.sources = sources;
  }

  /** Takes in all files of a folder as those of one source. */
  void add(int source, Path folder) throws IOException {
    List<Path> paths;
    try (Stream<Path> listed = Files.list(folder)) {
      paths = listed.sorted().toList();
    }
    for (Path path : paths) {
      RecordFile file = RecordFile.open(path);
      long fileBits = (long) files.size() << FILE_SHIFT;
      files.add(file);
      file.visit((key, position) -> slots(key)[source] = fileBits | position);
    }
  }

  private long[] slots(String key) {
    return places.computeIfAbsent(
        key,
        unseen -> {
          long[] none = new long[sources];
          Arrays.fill(none, NONE);
          return none;
        });
  }

  /** All keys that any source has. */
  Collection<String> keys() {
    return places.keySet();
  }

  boolean has(int source, String key) {
    return places.get(key)[source] != NONE;
  }

  /** The last value that a source has of a key, or null. */
  byte[] value(int source, String key) throws IOException {
    long place = places.get(key)[source];
    if (place == NONE) {
      return null;
    }
    long position = place & ((1L << FILE_SHIFT) - 1);
    return files.get((int) (place >>> FILE_SHIFT)).value(position);
  }

  @Override
  public void close() throws IOException {
    for (RecordFile file : files) {
      file.close();
    }
  }
}
