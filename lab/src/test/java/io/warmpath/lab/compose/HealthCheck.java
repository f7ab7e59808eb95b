package io.warmpath.lab.compose;

import io.warmpath.lab.compose.ComposeFile.Service;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;

/** Asks what a service's health check asks, without the programs in its image. */
final class HealthCheck {

  private static final Duration TIMEOUT = Duration.ofSeconds(4);
  private static final HttpClient HTTP = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

  private HealthCheck() {}

  /**
   * Whether it passes.
   *
   * @throws Exception if nobody answers
   */
  static boolean passes(Service service, OnOneHost here) throws Exception {
    List<String> test = service.healthTest();
    String asked = here.rewrite(service, test.get(test.size() - 1));
    String program = test.get(1);
    if (program.equals("curl") || program.equals("wget")) {
      return answers(asked);
    }
    if (program.endsWith("/kafka-broker-api-versions.sh")) {
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", asked))) {
        return !admin.describeCluster().nodes().get(2, TimeUnit.SECONDS).isEmpty();
      }
    }
    throw new AssertionError("no idea what " + program + " asks");
  }

  private static boolean answers(String url) throws IOException, InterruptedException {
    return HTTP.send(
                HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT).build(),
                HttpResponse.BodyHandlers.discarding())
            .statusCode()
        == 200;
  }
}
