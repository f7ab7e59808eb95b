package io.warmpath.console.export;

/**
 * A replica's weight as a router has it, for machines.
 *
 * @param replica its name in the topics
 * @param weight whole number that the router was given
 * @param share weight that it stands for
 * @param basis where that comes from
 */
public record ExportedWeight(String replica, int weight, double share, WeightBasis basis) {

  static ExportedWeight of(RouterWeight one) {
    return new ExportedWeight(
        one.replica().name(), one.weight(), one.share().weight(), one.share().basis());
  }
}
