package io.warmpath.routing.control;

/** One step of a weight towards its target: down at once, up slowly, never far. */
final class WeightStep {

  private final ControlConfig.Damping damping;
  private final double upShare;

  /**
   * A step taken.
   *
   * @param damped after smoothing and step limit
   * @param clamped after floor and ceiling
   * @param reason one word
   */
  record Result(double damped, double clamped, String reason) {

    static Result held(double weight) {
      return new Result(weight, weight, "frozen");
    }
  }

  WeightStep(ControlConfig.Damping damping) {
    this.damping = damping;
    this.upShare = 1 - StrictMath.pow(0.5, 1 / damping.upHalfLifeUpdates());
  }

  Result from(double weight, double target) {
    if (Math.abs(target - weight) <= damping.deadBand() * weight) {
      return new Result(weight, weight, "steady");
    }
    double wanted = target < weight ? target : weight + upShare * (target - weight);
    double damped =
        Math.max(
            weight * (1 - damping.stepLimit()),
            Math.min(weight * (1 + damping.stepLimit()), wanted));
    double clamped = Math.max(damping.floor(), Math.min(damping.ceiling(), damped));
    return new Result(damped, clamped, reason(weight, wanted, damped, clamped));
  }

  private static String reason(double weight, double wanted, double damped, double clamped) {
    if (clamped != damped) {
      return clamped > damped ? "floor" : "ceiling";
    }
    if (damped != wanted) {
      return "step_limit";
    }
    return wanted < weight ? "down" : "up";
  }
}
