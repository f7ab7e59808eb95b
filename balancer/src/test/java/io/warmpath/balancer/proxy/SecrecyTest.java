package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.decision.DecisionLogSettings;
import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.LogLines;
import io.warmpath.balancer.fixture.Sha256;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.balancer.security.ApiKeys;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.RequestEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nothing that a balancer writes holds a client's key or words. */
class SecrecyTest {

  private static final String PROMPT = "marmalade-7731";
  private static final String KEY = "sk-gooseberry-4462";

  @Test
  void keepsKeysAndPromptsOutOfEverythingThatItWrites() throws Exception {
    ApiKeys keys = ApiKeys.parse("team-a sha256:" + Sha256.hex(KEY) + "\n");
    try (LogLines log = new LogLines();
        FakeReplica replica = new FakeReplica(SecrecyTest::answer);
        TestBalancer balancer =
            TestBalancer.with(
                config -> config.apiKeys(keys).decisions(new DecisionLogSettings(1, 100)),
                replica)) {
      String chat = TestBalancer.chatBody(true).replace("Why is the sky blue?", PROMPT);
      String[] authorized = {"authorization", "Bearer " + KEY, "x-session-id", PROMPT};
      assertEquals(200, balancer.post("/v1/chat/completions", chat, authorized).statusCode());
      assertTrue(replica.nextRequest().body().contains(PROMPT));
      List<String> broken =
          List.of(
              chat.replace("}]}", "}"),
              chat.replace("\"user\"", "7"),
              chat.replace("true", "\"" + PROMPT + "\""),
              chat.replace(TestBalancer.MODEL, PROMPT),
              "{\"model\":\"" + TestBalancer.MODEL + "\",\"messages\":\"" + PROMPT + "\"}",
              PROMPT);
      for (String body : broken) {
        balancer.post("/v1/chat/completions", body, authorized);
      }
      balancer.post("/v1/chat/completions?" + PROMPT, chat, authorized);
      balancer.post("/v1/chat/completions", chat, "authorization", "Bearer not-" + KEY);
      balancer.post("/" + PROMPT, chat, authorized);

      String written =
          log.text()
              + balancer.admin("/metrics").body()
              + balancer.admin("/admin/replicas").body()
              + balancer.admin("/admin/decisions").body()
              + balancer.events(RequestEvent.class).stream().map(SecrecyTest::encoded).toList();
      assertTrue(written.contains("team-a"), "events are looked at");
      assertTrue(written.contains("warmpath-test-marker"), "the log is looked at");
      assertFalse(written.contains(PROMPT), written);
      assertFalse(written.contains(KEY), written);
    }
  }

  private static void answer(FakeReplica.Answer answer) {
    answer.stream().send(Chunks.ANSWER_WITH_USAGE).end();
  }

  private static String encoded(RequestEvent event) {
    byte[] json = Codecs.REQUEST_EVENT.encode(event);
    return event + new String(json, StandardCharsets.UTF_8);
  }
}
