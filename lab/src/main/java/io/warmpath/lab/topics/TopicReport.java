package io.warmpath.lab.topics;

import java.util.List;

/**
 * What was found and done.
 *
 * @param created topics that were created
 * @param missing topics that are not there, and were not created
 * @param matching topics that were there as they should be
 * @param differences what is not as it should be in the others
 */
public record TopicReport(
    List<String> created,
    List<String> missing,
    List<String> matching,
    List<TopicDifference> differences) {

  public TopicReport {
    created = List.copyOf(created);
    missing = List.copyOf(missing);
    matching = List.copyOf(matching);
    differences = List.copyOf(differences);
  }

  /** Whether all topics are there now, each as it should be. */
  public boolean good() {
    return missing.isEmpty() && differences.isEmpty();
  }
}
