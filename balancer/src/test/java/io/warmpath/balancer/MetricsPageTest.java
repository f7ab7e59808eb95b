package io.warmpath.balancer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.DocsTable;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.balancer.metrics.MetricFamily;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The table of the balancer's metrics in docs/contracts.md is what a balancer exports. With {@code
 * -Dconfiguration.write=true} the test writes it in place of comparing it.
 */
class MetricsPageTest {

  private static final String HEADING = "| metric | type | labels | meaning |\n";

  private FakeReplica replica;
  private BalancerServer balancer;

  @BeforeEach
  void start() {
    replica = new FakeReplica(answer -> answer.stream().send(Chunks.ANSWER_WITH_USAGE).end());
    List<ReplicaAddress> replicas = List.of(new ReplicaAddress("r", replica.url()));
    balancer =
        BalancerServer.start(
            BalancerConfig.builder()
                .listen("127.0.0.1", 0)
                .admin("127.0.0.1", 0)
                .eventLoops(1)
                .model(ModelConfig.modelled(TestBalancer.MODEL, replicas))
                .build());
  }

  @AfterEach
  void stop() {
    balancer.close();
    replica.close();
  }

  @Test
  void thePageIsWhatIsExported() throws IOException {
    DocsTable.assertIsIn("contracts.md", HEADING, table());
  }

  @Test
  void samplesHaveTheLabelsOfThePage() throws Exception {
    chat();
    for (MetricFamily family : balancer.metrics().families()) {
      for (MetricFamily.Sample sample : family.samples()) {
        assertEquals(family.labels(), names(sample.labels()), family.name());
      }
      if (family.histogram() != null) {
        family
            .histogram()
            .getDataPoints()
            .forEach(
                point -> {
                  assertEquals(family.labels().size(), point.getLabels().size(), family.name());
                  family.labels().forEach(name -> assertNotNull(point.getLabels().get(name)));
                });
      }
    }
  }

  private static List<String> names(List<String> labels) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < labels.size(); i += 2) {
      names.add(labels.get(i));
    }
    return names;
  }

  private void chat() throws IOException, InterruptedException {
    URI chat = URI.create("http://127.0.0.1:" + balancer.port() + "/v1/chat/completions");
    HttpRequest request =
        HttpRequest.newBuilder(chat)
            .POST(HttpRequest.BodyPublishers.ofString(TestBalancer.chatBody(true)))
            .build();
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode());
  }

  private String table() {
    StringBuilder table = new StringBuilder("|---|---|---|---|\n");
    for (MetricFamily family : balancer.metrics().families()) {
      table.append("| `").append(family.name()).append("` | ").append(family.type()).append(" | ");
      table.append(String.join(", ", family.labels())).append(" | ");
      table.append(family.help().replace("|", "\\|")).append(" |\n");
    }
    return table.toString();
  }
}
