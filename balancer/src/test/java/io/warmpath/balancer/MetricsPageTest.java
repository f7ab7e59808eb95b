package io.warmpath.balancer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.warmpath.balancer.fixture.Chunks;
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
 * What the balancer declares of its metrics, which docs/metrics.md is made from, is what it has.
 */
class MetricsPageTest {

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
  void samplesHaveTheLabelsThatAreDeclared() throws Exception {
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
}
