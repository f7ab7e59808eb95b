package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.FirstToken;
import io.warmpath.schemas.request.Outcome;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Embeddings pass through: they are routed by their input, and nothing of them is a token. */
class EmbeddingsTest {

  private static final String ANSWER =
      "{\"object\":\"list\",\"data\":[{\"embedding\":[0.1,-2.5e-3],\"index\":0}],"
          + "\"usage\":{\"prompt_tokens\":8,\"total_tokens\":8}}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"input\":\"The sky is blue.\"",
        "\"input\":[\"The sky\",\"is blue.\"]",
        "\"input\":[1,2,3]",
        "\"input\":[[1,2],[3]]",
        "\"input\":\"a\",\"encoding_format\":\"base64\",\"dimensions\":256",
        "\"input\":\"a\",\"stream\":true"
      })
  void passThroughAndCountAsNotStreamed(String fields) throws Exception {
    String body = "{\"model\":\"" + TestBalancer.MODEL + "\"," + fields + "}";
    try (FakeReplica replica = new FakeReplica(answer -> answer.json(200, ANSWER));
        TestBalancer balancer = TestBalancer.inFrontOf(replica)) {
      HttpResponse<String> response = balancer.post("/v1/embeddings", body);
      assertEquals(200, response.statusCode());
      assertEquals(ANSWER, response.body());
      FakeReplica.Request asked = replica.nextRequest();
      assertEquals("/v1/embeddings", asked.uri());
      assertEquals(body, asked.body());

      Finished finished = balancer.finished();
      assertEquals(Outcome.OK, finished.outcome());
      assertFalse(finished.context().stream());
      assertNull(finished.ttftUs());
      assertEquals(8, finished.facts().promptTokens());
      assertTrue(finished.facts().promptTokensExact());
      assertEquals(0, finished.outputTokens());
      assertEquals(List.of(), balancer.events(FirstToken.class));
      assertNull(balancer.metric("gen_ai_server_time_to_first_token_seconds_count"));
    }
  }
}
