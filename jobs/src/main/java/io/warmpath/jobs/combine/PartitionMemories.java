package io.warmpath.jobs.combine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a subtask remembers of the partitions that it reads.
 *
 * <p>Which those are it learns from their records only, so after a restart it is given the memory
 * of all partitions and keeps those that it hears of. What no subtask has heard of yet must not be
 * lost if the job restarts once more: of each partition one subtask, fixed by its number, hands it
 * on. Once that subtask's own time has left the partition so far behind that its windows are closed
 * for good, it hands on no more than the partition's time.
 */
final class PartitionMemories {

  private record Place(String topic, int partition) {}

  private final CombineRules rules;
  private final long keepMs;
  private final Map<Place, PartitionMemory> heardOf = new HashMap<>();
  private final Map<Place, PartitionImage> restored = new HashMap<>();

  /** Those of them that more than the time is known of. */
  private final Set<Place> restoredWhole = new HashSet<>();

  private String lastTopic;
  private int lastPartition;
  private PartitionMemory last;

  /**
   * @param keepMs how far a partition may lie behind and still count in windows
   */
  PartitionMemories(CombineRules rules, long keepMs) {
    this.rules = rules;
    this.keepMs = keepMs;
  }

  /** The memory of a partition, which from now on is this subtask's. */
  PartitionMemory of(String topic, int partition) {
    if (last == null || partition != lastPartition || !topic.equals(lastTopic)) {
      last = heardOf.computeIfAbsent(new Place(topic, partition), this::begin);
      lastTopic = topic;
      lastPartition = partition;
    }
    return last;
  }

  private PartitionMemory begin(Place place) {
    PartitionImage image = restored.remove(place);
    return image == null ? new PartitionMemory(rules) : image.toMemory(rules);
  }

  /** Takes in what state holds. */
  void restore(Iterable<PartitionImage> images) {
    for (PartitionImage image : images) {
      restored.merge(
          new Place(image.topic(), image.partition()),
          image,
          (a, b) -> a.nextOffset() >= b.nextOffset() ? a : b);
    }
    restoredWhole.addAll(restored.keySet());
  }

  /** Forgets all but the time of what nobody here heard of and whose windows are closed by now. */
  void forgetClosed(long watermarkMs) {
    restoredWhole.removeIf(
        place -> {
          PartitionImage image = restored.get(place);
          if (image != null && image.highMs() >= watermarkMs - keepMs) {
            return false;
          }
          restored.computeIfPresent(place, (same, whole) -> whole.withTimeOnly(rules));
          return true;
        });
  }

  /** What one of {@code subtasks} puts into state. */
  List<PartitionImage> images(int subtask, int subtasks) {
    List<PartitionImage> images = new ArrayList<>();
    heardOf.forEach(
        (place, memory) -> images.add(PartitionImage.of(place.topic, place.partition, memory)));
    restored.forEach(
        (place, image) -> {
          if (Math.floorMod(31 * place.topic.hashCode() + place.partition, subtasks) == subtask) {
            images.add(image);
          }
        });
    return images;
  }
}
