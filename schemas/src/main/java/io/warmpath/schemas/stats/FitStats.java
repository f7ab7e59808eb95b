package io.warmpath.schemas.stats;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.warmpath.schemas.Require;
import io.warmpath.schemas.codec.SixDecimals;

/**
 * How long a replica takes to the first token: {@code intercept + usPerToken · uncached tokens}.
 *
 * @param interceptUs time that no token explains
 * @param usPerToken time a token to compute
 * @param samples requests behind the fit
 * @param source what the slope was measured from
 */
public record FitStats(
    @JsonSerialize(using = SixDecimals.class) double interceptUs,
    @JsonSerialize(using = SixDecimals.class) double usPerToken,
    long samples,
    Source source) {

  /** What a slope was measured from. */
  public enum Source {
    @JsonProperty("gpu")
    GPU,
    @JsonProperty("ttft")
    TTFT
  }

  public FitStats {
    Require.finite(interceptUs, "fit.intercept_us");
    Require.finite(usPerToken, "fit.us_per_token");
    Require.notNegative(samples, "fit.samples");
    Require.present(source, "fit.source");
  }
}
