package io.warmpath.balancer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.warmpath.balancer.config.ConfigException;
import io.warmpath.balancer.decision.Arm;
import io.warmpath.balancer.prompt.TokenizerKind;
import io.warmpath.balancer.proxy.RetryBudget;
import io.warmpath.balancer.proxy.UnknownModel;
import io.warmpath.balancer.upstream.EjectionSettings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigFileTest {

  private static final String MODELS =
      "models:\n  - name: m\n    replicas:\n      - {name: r, url: 'http://127.0.0.1:1'}\n";

  @Test
  void hasDefaultsForAllButTheModels() {
    BalancerConfig expected =
        BalancerConfig.builder()
            .model(
                ModelConfig.modelled(
                    "m", List.of(new ReplicaAddress("r", URI.create("http://127.0.0.1:1")))))
            .build();
    assertEquals(expected, ConfigFile.parse("b.yaml", MODELS));
  }

  @Test
  void readsEveryOption() {
    BalancerConfig config =
        ConfigFile.parse(
            "b.yaml",
            """
            name: edge
            listen: {host: 0.0.0.0, port: 1}
            admin: {host: 127.0.0.1, port: 2}
            arms:
              - {policy: adaptive, share: 0.9}
              - {policy: round_robin, share: 0.1}
            models:
              - name: m
                tokenizer: bytes
                block_tokens: 64
                replicas:
                  - {name: r, url: "http://h:9/base"}
            unknown_model: first
            kafka: {bootstrap.servers: "k:9092", security.protocol: SSL}
            start_timeout: 1s
            cache_replay: 2h
            events: {buffer: 5, flush_timeout: 1s, sample_rate: 0.5}
            limits: {body_bytes: 10, header_bytes: 2048}
            timeouts: {first_token: 1s, idle: 2s, total: 3s}
            connections: {connect_timeout: 10ms, max_idle: 1, keep_idle: 0ms}
            health: {interval: 0s, timeout: 1s, failures: 3, ejection: 1m}
            ejection: {failures: 3, failure_share: 0.4, min_requests: 9, window: 5s, max_time: 2m,
                       max_share: 0.3, slow_start: 0s}
            retries: 1
            retry_budget: {share: 0.1, minimum: 4, window: 20s}
            time_scale: 5
            event_loops: 1
            """);
    assertEquals("edge", config.name());
    assertEquals(List.of(new Arm("adaptive", 0.9), new Arm("round_robin", 0.1)), config.arms());
    assertEquals(TokenizerKind.BYTES, config.models().get(0).tokenizer());
    assertEquals(64, config.models().get(0).blockTokens());
    assertEquals(UnknownModel.FIRST, config.unknownModel());
    assertEquals(Map.of("bootstrap.servers", "k:9092", "security.protocol", "SSL"), config.kafka());
    assertEquals(Duration.ofHours(2), config.cacheReplay());
    assertEquals(10, config.limits().maxBodyBytes());
    assertEquals(Duration.ofSeconds(3), config.timeouts().total());
    assertEquals(
        new EjectionSettings(
            3, 0.4, 9, Duration.ofSeconds(5), Duration.ofMinutes(2), 0.3, Duration.ZERO),
        config.ejection());
    assertEquals(new RetryBudget.Settings(0.1, 4, Duration.ofSeconds(20)), config.retryBudget());
    assertEquals(5, config.timeScale());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "policy: best | b.yaml:5: policy: unknown policy 'best', known are",
        "polici: x | b.yaml:5: polici is unknown",
        "retries: many | b.yaml:5: retries must be a whole number: many",
        "retries: 99 | b.yaml:5: retries must be 0 to 10: 99",
        "timeouts: {idle: 5} | b.yaml:5: timeouts.idle must be a number with ms, s, m or h: 5",
        "timeouts: {idle: 0s} | b.yaml:5: timeouts.idle must be at least 1ms",
        "events: {sample_rate: 2} | b.yaml:5: events.sample_rate must be 0 to 1: 2.0",
        "limits: {header_bytes: 5} | b.yaml:5: limits.header_bytes must be at least 1024: 5",
        "kafka: {acks: all} | b.yaml:5: kafka must hold bootstrap.servers",
        "kafka: {a: {b: c}} | b.yaml:5: kafka.a must be a text",
        "listen: 8080 | b.yaml:5: listen must hold options",
        "listen: {port: 70000} | b.yaml:5: listen.port must be 0 to 65535: 70000",
        "time_scale: 0 | b.yaml:5: time_scale must be 1 to 1000: 0.0",
        "name: [a] | b.yaml:5: name must be a text",
        "ejection: {max_share: 2} | b.yaml:5: ejection.max_share must be 0 to 1: 2.0",
        "ejection: {failure_share: 0} | b.yaml:5: ejection.failure_share must be greater than 0",
        "retry_budget: {share: -1} | b.yaml:5: retry_budget.share must be 0 to 10: -1.0",
        "unknown_model: x | b.yaml:5: unknown_model: must be refuse or first: x",
        "arms: [{policy: random, share: 0}] | b.yaml:5: arms[0].share must be greater than 0",
        "models: [] | b.yaml:5: Duplicate field 'models'",
        "]: | b.yaml:5: ",
      })
  void namesLineAndOptionOfAFault(String fault, String message) {
    assertRefused(MODELS + fault + "\n", message);
  }

  @Test
  void namesTheLineOfAFaultDeepInside() {
    assertRefused(
        MODELS.replace("http:", "ftp:"), "b.yaml:4: models[0].replicas[0].url must be http://");
    assertRefused(
        MODELS.replace("name: r,", ""), "b.yaml:4: models[0].replicas[0].name is missing");
    assertRefused("name: x\n", "b.yaml:1: models must list at least one model");
    assertRefused("", "b.yaml:1: models must list at least one model");
    assertRefused(
        MODELS + "      - {name: r, url: 'http://127.0.0.1:2'}\n",
        "b.yaml:5: models[0].replicas[1].name is there twice: r");
  }

  private static void assertRefused(String text, String message) {
    ConfigException refused =
        assertThrows(ConfigException.class, () -> ConfigFile.parse("b.yaml", text));
    String actual = refused.getMessage();
    assertEquals(message, actual.substring(0, Math.min(actual.length(), message.length())), actual);
  }
}
