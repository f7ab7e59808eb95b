package io.warmpath.console.export;

import java.util.List;

/**
 * How an export is doing, for machines.
 *
 * @param model whose weights
 * @param format router
 * @param lease whether published weights hold
 * @param epoch of the newest published weights, 0 for none
 * @param validUntilMs end of their lease, epoch milliseconds; 0 for none
 * @param pending whether the router does not have yet what it should
 * @param applications times that the router took weights
 * @param failures times that it did not
 * @param failure why the last attempt failed, or null
 * @param appliedMs when the router last took weights, epoch milliseconds; 0 for never
 * @param replicas what the router has; empty before the first application
 * @param unmapped published replicas that the map does not have
 * @param invalidRecords records that could not be read
 */
public record ExportStatus(
    String model,
    String format,
    LeaseStanding lease,
    long epoch,
    long validUntilMs,
    boolean pending,
    long applications,
    long failures,
    String failure,
    long appliedMs,
    List<ExportedWeight> replicas,
    List<String> unmapped,
    long invalidRecords) {

  public ExportStatus {
    replicas = List.copyOf(replicas);
    unmapped = List.copyOf(unmapped);
  }
}
