package io.warmpath.console.export;

import static io.warmpath.console.SampleResults.weights;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExporterTest {

  private static final long T = 1_000_000;

  @TempDir private Path folder;
  private final ScriptedRouter router = new ScriptedRouter();
  private final List<String> heard = new ArrayList<>();
  private Exporter exporter;

  /** A router that can refuse, and forget. */
  private static final class ScriptedRouter implements RouterTarget {

    private final List<List<Integer>> taken = new ArrayList<>();
    private String refusal;
    private boolean restarted;

    @Override
    public WeightScale scale() {
      return WeightScale.THOUSANDTHS;
    }

    @Override
    public String render(RouterWeights weights) {
      return "";
    }

    @Override
    public boolean apply(RouterWeights weights, long nowMs) throws IOException {
      if (refusal != null) {
        throw new IOException(refusal);
      }
      taken.add(weights.replicas().stream().map(RouterWeight::weight).toList());
      restarted = false;
      return true;
    }

    @Override
    public boolean holds(RouterWeights applied) {
      return !restarted;
    }
  }

  private final class Heard implements ExportListener {

    @Override
    public void onLease(FleetShares shares) {
      heard.add("lease " + shares.lease());
    }

    @Override
    public void onApplied(RouterWeights weights) {
      heard.add("applied");
    }

    @Override
    public void onFailure(String reason) {
      heard.add("failed " + reason);
    }

    @Override
    public void onUnmapped(List<String> replicas) {
      heard.add("unmapped " + replicas);
    }
  }

  @BeforeEach
  void start() throws IOException {
    exporter =
        new Exporter(
            SampleMap.of(folder, ExportFormat.HAPROXY, "backend: be\n"),
            ExportFormat.HAPROXY,
            VanishedReplicas.DRAIN,
            router,
            new Heard(),
            T);
  }

  @Test
  void leavesTheRouterAloneUntilTheTopicWasRead() {
    exporter.onWeights(weights(T, 1.3, 1, 0.7, 1));
    exporter.step(T);
    assertEquals(List.of(), router.taken);

    exporter.onWeights(weights(T + 5_000, 1.2, 1, 0.8, 1));
    exporter.onCaughtUp();
    exporter.step(T + 5_000);
    assertEquals(List.of(List.of(1_200, 1_000, 800, 1_000)), router.taken);
  }

  @Test
  void takesASourceThatIsSilentForLongerThanAnyLeaseForOneWithoutWeights() {
    exporter.step(T + Exporter.SILENCE_MS - 1);
    assertEquals(List.of(), router.taken);
    exporter.step(T + Exporter.SILENCE_MS);
    assertEquals(List.of(List.of(1_000, 1_000, 1_000, 1_000)), router.taken);
  }

  @Test
  void aRenewedLeaseTouchesNothing() {
    exporter.onCaughtUp();
    exporter.onWeights(weights(T, 1.3, 1, 0.7, 1));
    exporter.step(T);
    exporter.onWeights(weights(T + 5_000, 1.3, 1, 0.7, 1));
    exporter.step(T + 5_000);
    assertEquals(1, router.taken.size());
    assertEquals(T + 5_000, exporter.status().epoch());
  }

  @Test
  void withoutNewsItKeepsTheWeightsUntilTheLeaseEnds() {
    exporter.onCaughtUp();
    exporter.onWeights(weights(T, 1.3, 1, 0.7, 1));
    exporter.step(T);
    exporter.step(T + 30_000);
    assertEquals(1, router.taken.size());
    exporter.step(T + 30_001);
    assertEquals(List.of(1_000, 1_000, 1_000, 1_000), router.taken.get(1));
    assertEquals(LeaseStanding.OVER, exporter.status().lease());
    assertEquals(List.of("lease IN_FORCE", "applied", "lease OVER", "applied"), heard);
  }

  @Test
  void triesAgainAfterAFailureAndSaysEachReasonOnce() {
    router.refusal = "connection refused";
    exporter.onCaughtUp();
    exporter.onWeights(weights(T, 1.3, 1, 0.7, 1));
    exporter.step(T);
    exporter.step(T + 1_000);
    assertTrue(exporter.status().pending());
    assertEquals("connection refused", exporter.status().failure());
    assertEquals(2, exporter.status().failures());
    assertEquals(List.of("lease IN_FORCE", "failed connection refused"), heard);

    router.refusal = null;
    exporter.step(T + 2_000);
    assertFalse(exporter.status().pending());
    assertEquals(null, exporter.status().failure());
    assertEquals(1, router.taken.size());
  }

  @Test
  void aRouterThatForgotIsGivenTheWeightsAgain() {
    exporter.onCaughtUp();
    exporter.onWeights(weights(T, 1.3, 1, 0.7, 1));
    exporter.step(T);
    router.restarted = true;
    exporter.step(T + 1_000);
    assertEquals(2, router.taken.size());
    assertEquals(router.taken.get(0), router.taken.get(1));
  }

  @Test
  void tellsOfReplicasThatTheMapDoesNotHave() {
    exporter.onCaughtUp();
    exporter.onWeights(weights(T, 1, 1, 1, 1, 1));
    exporter.step(T);
    exporter.step(T + 1);
    assertEquals(List.of("lease IN_FORCE", "unmapped [replica-4]", "applied"), heard);
  }

  @Test
  void servesItsMetrics() throws Exception {
    exporter.onCaughtUp();
    exporter.onWeights(weights(T, 1.3, 1, 0.7));
    exporter.step(T + 30_001);
    try (ExportMetricsServer server =
        ExportMetricsServer.start("127.0.0.1", 0, exporter::status, Clock.systemUTC())) {
      URI uri = URI.create("http://127.0.0.1:" + server.port() + "/metrics");
      String page =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
              .body();

      String labels = "{format=\"haproxy\",model=\"warmpath-demo\"} ";
      assertTrue(page.contains("warmpath_export_equal_weights" + labels + "1.0"), page);
      assertTrue(page.contains("warmpath_export_applications_total" + labels + "1.0"), page);
      assertTrue(page.contains("replica=\"replica-3\"} 1000.0"), page);
    }
  }
}
