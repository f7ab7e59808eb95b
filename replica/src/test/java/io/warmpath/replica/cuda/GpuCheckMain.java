package io.warmpath.replica.cuda;

import java.util.List;

/**
 * The correctness part of {@code gpu-check}, a line a comparison. Exit code 1: one does not hold.
 */
final class GpuCheckMain {

  private GpuCheckMain() {}

  public static void main(String[] args) {
    List<Deviation> deviations = GpuCheck.correctness();
    deviations.forEach(
        each ->
            System.out.println(
                each.what()
                    + "|"
                    + each.largest()
                    + "|"
                    + each.tolerance()
                    + "|"
                    + (each.holds() ? "holds" : "WRONG")));
    System.exit(deviations.stream().allMatch(Deviation::holds) ? 0 : 1);
  }
}
