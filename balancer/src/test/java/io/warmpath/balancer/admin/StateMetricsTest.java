package io.warmpath.balancer.admin;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.decision.Arm;
import io.warmpath.balancer.decision.ModelRouter;
import io.warmpath.balancer.events.InMemoryEventSink;
import io.warmpath.balancer.metrics.PrometheusText;
import io.warmpath.balancer.weights.WeightsState;
import io.warmpath.routing.index.IndexBounds;
import io.warmpath.routing.index.PrefixIndex;
import io.warmpath.schemas.weights.RoutingWeights;
import java.util.List;
import org.junit.jupiter.api.Test;

class StateMetricsTest {

  private static final long NOW_MS = 1_000_000;

  private final WeightsState weights = new WeightsState("m");

  @Test
  void saysHowOldTheWeightsAreAndHowLongTheyHold() {
    weights.accept(
        new RoutingWeights(
            "m",
            NOW_MS - 7_500,
            NOW_MS + 22_500,
            NOW_MS - 7_500,
            0.25,
            null,
            List.of(),
            List.of()));
    String page = page();
    assertTrue(page.contains("warmpath_weights_age_seconds{model=\"m\"} 7.5\n"), page);
    assertTrue(page.contains("warmpath_weights_lease_remaining_seconds{model=\"m\"} 22.5\n"), page);
  }

  @Test
  void saysNothingOfWeightsThatNeverCame() {
    String page = page();
    assertFalse(page.contains("warmpath_weights_age_seconds{"), page);
    assertTrue(page.contains("warmpath_weights_epoch{model=\"m\"} 0\n"), page);
  }

  private String page() {
    ModelRouter router =
        new ModelRouter(
            "m",
            List.of(),
            new PrefixIndex(IndexBounds.DEFAULTS),
            weights,
            List.of(new Arm("adaptive", 1)),
            () -> NOW_MS,
            System::nanoTime);
    PrometheusText text = new PrometheusText();
    new StateMetrics(List.of(router), new InMemoryEventSink(0), () -> NOW_MS).writeTo(text);
    return text.toString();
  }
}
