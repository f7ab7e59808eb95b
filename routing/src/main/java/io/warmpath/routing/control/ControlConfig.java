package io.warmpath.routing.control;

import io.warmpath.schemas.weights.PolicyShare;
import java.util.List;

/**
 * Constants of the control law.
 *
 * @param backlogShare share of a replica's backlog that a new request waits for, 0 to 1
 * @param unevenBacklogShare the share published while a replica is degraded, 0 to 1: a backlog on a
 *     slow replica lasts, and the prefixes there are worth less than the wait for them
 * @param minSamples fewest requests behind a fit that counts
 * @param failurePenalty weight lost at 100 % failed attempts, 0 to 1
 * @param maxRejectedShare share of rejected requests beyond which weights are frozen
 * @param leaseMillis how long after the window's end a decision is valid
 * @param degradedFactor slope relative to the fleet's from which a replica is degraded
 * @param damping how fast weights follow their targets
 * @param slowStart how a new replica is eased in
 * @param evidence what counts as a difference between fits
 * @param policies arms and their shares, published as they are
 */
public record ControlConfig(
    double backlogShare,
    double unevenBacklogShare,
    int minSamples,
    double failurePenalty,
    double maxRejectedShare,
    long leaseMillis,
    double degradedFactor,
    Damping damping,
    SlowStart slowStart,
    Evidence evidence,
    List<PolicyShare> policies) {

  /**
   * Default of the backlog's share, here and in the fits that the law reads. Chosen with the load
   * factor over traces, see docs/policies.md.
   */
  public static final double DEFAULT_BACKLOG_SHARE = 0.25;

  /** The design's values. */
  public static final ControlConfig DEFAULTS =
      new ControlConfig(
          DEFAULT_BACKLOG_SHARE,
          0.4,
          15,
          1,
          0.2,
          30_000,
          1.5,
          Damping.DEFAULTS,
          SlowStart.DEFAULTS,
          Evidence.DEFAULTS,
          List.of());

  /**
   * How fast weights follow their targets: down at once, up by an exponential moving average.
   *
   * @param upHalfLifeUpdates updates after which half of the way up is gone
   * @param stepLimit largest change a step, as a share of the weight, in (0, 1)
   * @param deadBand smaller differences change nothing, as a share of the weight, in [0, 1)
   * @param floor least weight, greater than 0
   * @param ceiling greatest weight
   */
  public record Damping(
      double upHalfLifeUpdates, double stepLimit, double deadBand, double floor, double ceiling) {

    public static final Damping DEFAULTS = new Damping(3, 0.25, 0.05, 0.05, 4);

    public Damping {
      require(upHalfLifeUpdates > 0, "up_half_life_updates must be greater than 0");
      require(stepLimit > 0 && stepLimit < 1, "step_limit must be between 0 and 1");
      require(deadBand >= 0 && deadBand < 1, "dead_band must be from 0 to below 1");
      require(floor > 0 && floor <= 1, "floor must be greater than 0 and at most 1");
      require(ceiling >= 1, "ceiling must be at least 1");
    }
  }

  /**
   * How a new or restarted replica is eased in: first held at a small share, then linearly up.
   *
   * @param blackoutMillis time during which nothing it does counts
   * @param rampMillis time from the first share to the full weight
   * @param firstShare share of its weight that it starts with, in (0, 1]
   */
  public record SlowStart(long blackoutMillis, long rampMillis, double firstShare) {

    public static final SlowStart DEFAULTS = new SlowStart(10_000, 60_000, 0.1);

    public SlowStart {
      require(blackoutMillis >= 0, "blackout must not be negative");
      require(rampMillis >= 0, "slow_start must not be negative");
      require(firstShare > 0 && firstShare <= 1, "first share must be in (0, 1]");
    }

    /** Share of its weight that a replica gets at this age. */
    double shareAt(long ageMillis) {
      long ramped = ageMillis - blackoutMillis;
      if (ramped >= rampMillis) {
        return 1;
      }
      return ramped <= 0 ? firstShare : firstShare + (1 - firstShare) * ramped / rampMillis;
    }
  }

  /**
   * How much two fits must differ to be told apart: the logarithm of their ratio by more than
   * {@code noise / √samples}. The values are about five standard errors of fits to times with a
   * lognormal error of sigma 0.3, so that an hour of noise moves nothing.
   *
   * @param levelNoise for the predicted time of a typical prompt
   * @param slopeNoise for the slope alone, which scatters more
   */
  public record Evidence(double levelNoise, double slopeNoise) {

    public static final Evidence DEFAULTS = new Evidence(3, 12);

    public Evidence {
      require(levelNoise >= 0, "level_noise must not be negative");
      require(slopeNoise >= 0, "slope_noise must not be negative");
    }
  }

  public ControlConfig {
    require(backlogShare >= 0 && backlogShare <= 1, "backlog_share must be 0 to 1");
    require(
        unevenBacklogShare >= 0 && unevenBacklogShare <= 1, "uneven_backlog_share must be 0 to 1");
    require(minSamples >= 1, "min_samples must be at least 1");
    require(failurePenalty >= 0 && failurePenalty <= 1, "penalty must be 0 to 1");
    require(maxRejectedShare >= 0 && maxRejectedShare <= 1, "rejected share must be 0 to 1");
    require(leaseMillis > 0, "lease must be greater than 0");
    require(degradedFactor > 1, "degraded factor must be greater than 1");
    policies = List.copyOf(policies);
  }

  /** The same with other arms. */
  public ControlConfig withPolicies(List<PolicyShare> shares) {
    return new ControlConfig(
        backlogShare,
        unevenBacklogShare,
        minSamples,
        failurePenalty,
        maxRejectedShare,
        leaseMillis,
        degradedFactor,
        damping,
        slowStart,
        evidence,
        shares);
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
