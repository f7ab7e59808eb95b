package io.warmpath.balancer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.decision.Arm;
import io.warmpath.balancer.decision.DecisionLogSettings;
import io.warmpath.balancer.fixture.Certificates;
import io.warmpath.balancer.fixture.Sha256;
import io.warmpath.balancer.prompt.TokenizerKind;
import io.warmpath.balancer.proxy.RetryBudget;
import io.warmpath.balancer.proxy.UnknownModel;
import io.warmpath.balancer.security.Tls;
import io.warmpath.balancer.trace.TracingSettings;
import io.warmpath.balancer.upstream.EjectionSettings;
import io.warmpath.schemas.config.ConfigException;
import io.warmpath.schemas.config.Field;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigFileTest {

  private static final Path HERE = Path.of("");
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
    assertEquals(expected, ConfigFile.read("b.yaml", HERE, MODELS).config());
  }

  @Test
  void readsEveryOption() {
    BalancerConfig config =
        ConfigFile.read(
                "b.yaml",
                HERE,
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
                decisions: {sample_rate: 0.01, keep: 50}
                tracing: {endpoint: "http://127.0.0.1:4318/v1/traces", sample_rate: 0.2}
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
                """)
            .config();
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
    assertEquals(new DecisionLogSettings(0.01, 50), config.decisions());
    assertEquals(
        new TracingSettings(URI.create("http://127.0.0.1:4318/v1/traces"), 0.2), config.tracing());
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
        "timeouts: {idle: 0s} | b.yaml:5: timeouts.idle must be 1ms to 720h: 0ms",
        "events: {sample_rate: 2} | b.yaml:5: events.sample_rate must be 0 to 1: 2",
        "limits: {header_bytes: 5} | b.yaml:5: limits.header_bytes must be 1024 to 1048576: 5",
        "kafka: {acks: all} | b.yaml:5: kafka must hold bootstrap.servers",
        "kafka: {a: {b: c}} | b.yaml:5: kafka.a must be a text",
        "listen: 8080 | b.yaml:5: listen must hold fields",
        "listen: {port: 70000} | b.yaml:5: listen.port must be 0 to 65535: 70000",
        "limits: {buffered_bytes: 9} | b.yaml:5: limits.buffered_bytes must be at least"
            + " limits.body_bytes: 9",
        "limits: {connections: 0} | b.yaml:5: limits.connections must be 1 to 10000000: 0",
        "time_scale: 0 | b.yaml:5: time_scale must be 1 to 1000: 0",
        "name: [a] | b.yaml:5: name must be a text",
        "ejection: {max_share: 2} | b.yaml:5: ejection.max_share must be 0 to 1: 2",
        "ejection: {failure_share: 0} | b.yaml:5: ejection.failure_share must be 0.000001 to 1: 0",
        "retry_budget: {share: -1} | b.yaml:5: retry_budget.share must be 0 to 10: -1",
        "decisions: {sample_rate: 2} | b.yaml:5: decisions.sample_rate must be 0 to 1: 2",
        "tracing: {endpoint: collector} | b.yaml:5: tracing.endpoint must be http://host:port or",
        "unknown_model: x | b.yaml:5: unknown_model must be refuse or first: x",
        "arms: [{policy: random, share: 0}] | b.yaml:5: arms[0].share must be 0.000001 to 1000000:"
            + " 0",
        "models: [] | b.yaml:5: Duplicate field 'models'",
        "]: | b.yaml:5: ",
        "name: 5 | b.yaml:5: name must be a text; put it in quotes: 5",
        "name: ' ' | b.yaml:5: name must not be empty",
        "listen: {prot: 1} | b.yaml:5: listen.prot is unknown, known are host, port",
        "limits: {body_bytes: 1.5} | b.yaml:5: limits.body_bytes must be a whole number: 1.5",
        "limits: {body_bytes: 99999999999} | b.yaml:5: limits.body_bytes must be a whole number",
        "timeouts: {total: 721h} | b.yaml:5: timeouts.total must be 1ms to 720h: 721h",
        "retries: {} | b.yaml:5: retries must be a whole number",
        "arms: {} | b.yaml:5: arms must be a list",
        "listen: {port: 1, port: 2} | b.yaml:5: Duplicate field 'port'",
        "--- | b.yaml:6: only one document may be in a file",
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

  @Test
  void readsReplicasBehindAName() {
    String text = "models: [{name: m, replicas: {dns: vllm.svc, port: 8000}}]\n";
    assertEquals(
        new DnsReplicas("vllm.svc", 8000, Duration.ofSeconds(10)),
        ConfigFile.read("b.yaml", HERE, text).config().models().get(0).dns());
    assertRefused(text.replace(", port: 8000", ""), "b.yaml:1: models[0].replicas.port is missing");
    assertRefused(
        text.replace("8000", "8000, refresh: 1ms"),
        "b.yaml:1: models[0].replicas.refresh must be 1s to 24h: 1ms");
    assertRefused("models: [{name: m}]\n", "b.yaml:1: models[0].replicas must list at least one");
  }

  @Test
  void needsATokenWhereTheAdminPortIsNotOnLoopback(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("token"), "0123456789abcdef\n");
    Files.writeString(folder.resolve("short"), "abc");
    for (String host : List.of("0.0.0.0", "10.1.2.3", "'::'", "balancer.local")) {
      assertRefused(
          MODELS + "admin: {host: " + host + "}\n",
          "b.yaml:5: admin.host is not loopback and so needs admin.token_file");
      String with = MODELS + "admin: {host: " + host + ", token_file: token}\n";
      LoadedConfig loaded = ConfigFile.read("b.yaml", folder, with);
      assertTrue(loaded.config().adminToken().isIn("Bearer 0123456789abcdef"));
      assertEquals(List.of(folder.resolve("token")), loaded.files());
    }
    for (String host : List.of("127.0.0.1", "127.9.9.9", "'::1'", "localhost")) {
      ConfigFile.read("b.yaml", folder, MODELS + "admin: {host: " + host + "}\n");
    }
    assertRefused(
        MODELS + "admin: {token_file: none}\n", "b.yaml:5: admin.token_file cannot be read: none");
    ConfigException refused =
        assertThrows(
            ConfigException.class,
            () -> ConfigFile.read("b.yaml", folder, MODELS + "admin: {token_file: short}\n"));
    assertEquals(
        "b.yaml:5: admin.token_file: the token must have at least 16 characters",
        refused.getMessage());
  }

  @Test
  void readsKeysAndCertificates(@TempDir Path folder) throws IOException {
    Tls.Identity identity = Certificates.of(folder, "dns:x");
    Files.write(folder.resolve("c.pem"), identity.certificates());
    Files.write(folder.resolve("k.pem"), identity.key());
    Files.writeString(folder.resolve("keys"), "a sha256:" + Sha256.hex("k") + "\n");
    String text =
        MODELS
            + "listen: {tls: {certificate: c.pem, key: k.pem, client_ca: c.pem}}\n"
            + "upstream: {tls: {ca: c.pem, certificate: c.pem, key: k.pem}}\n"
            + "api_keys: {file: keys}\n"
            + "admin: {tls: {certificate: c.pem, key: k.pem}}\n";
    LoadedConfig loaded = ConfigFile.read("b.yaml", folder, text);
    assertEquals("a", loaded.config().apiKeys().holder("Bearer k"));
    assertTrue(loaded.config().listenTls().isServer());
    assertTrue(loaded.config().upstreamTls().isClient());
    assertTrue(loaded.config().adminTls().isServer());
    assertEquals(9, loaded.files().size());
    assertFalse(loaded.effective().toYaml().contains(Sha256.hex("k")));

    assertRefusedIn(
        folder, text.replace("key: k.pem", "key: keys"), "b.yaml:5: listen.tls: the PEM");
    assertRefusedIn(
        folder, text.replace(", key: k.pem", ""), "b.yaml:5: listen.tls.key and the certificate");
    assertRefusedIn(
        folder, text.replace("file: keys", "file: k.pem"), "b.yaml:7: api_keys.file: line 1 must");
    assertRefusedIn(folder, MODELS + "api_keys: {}\n", "b.yaml:5: api_keys.file is missing");
    assertRefusedIn(
        folder, MODELS + "listen: {tls: {}}\n", "b.yaml:5: listen.tls.certificate is missing");
    assertRefusedIn(
        folder, MODELS + "admin: {tls: {}}\n", "b.yaml:5: admin.tls.certificate is missing");
  }

  @Test
  void saysNothingOfAPasswordInAUrl() {
    ConfigException refused =
        assertThrows(
            ConfigException.class,
            () -> ConfigFile.read("b.yaml", HERE, MODELS.replace("//", "//user:geheim@")));
    assertFalse(refused.getMessage().contains("geheim"), refused.getMessage());
  }

  @Test
  void printsWhatHoldsSoThatItReadsTheSame() {
    LoadedConfig loaded = ConfigFile.read("b.yaml", HERE, MODELS);
    String yaml = loaded.effective().toYaml();
    assertEquals(loaded.config(), ConfigFile.read("printed.yaml", HERE, yaml).config());
    Set<String> absent =
        Set.of(
            "arms[].policy",
            "arms[].share",
            "listen.tls.certificate",
            "listen.tls.key",
            "listen.tls.client_ca",
            "admin.token_file",
            "admin.tls.certificate",
            "admin.tls.key",
            "admin.tls.client_ca",
            "api_keys.file",
            "upstream.tls.ca",
            "upstream.tls.certificate",
            "upstream.tls.key",
            "tracing.endpoint",
            "models[].replicas.dns",
            "models[].replicas.refresh");
    for (Field<?> field : ConfigFields.all()) {
      boolean printed = yaml.contains(field.path().replaceFirst(".*\\.", "") + ":");
      assertTrue(printed || absent.contains(field.path()), field.path() + " in\n" + yaml);
    }
  }

  @Test
  void masksSecretsWhereItPrintsWhatHolds() {
    String kafka =
        "kafka: {bootstrap.servers: 'k:1', sasl.jaas.config: geheim, ssl.key.password: geheim,"
            + " ssl.keystore.key: geheim, ssl.truststore.location: /t}\n";
    LoadedConfig loaded = ConfigFile.read("b.yaml", HERE, MODELS + kafka);
    assertFalse(loaded.effective().toYaml().contains("geheim"));
    assertTrue(loaded.effective().toYaml().contains("/t"));
    assertFalse(loaded.toString().contains("geheim"), loaded.toString());
  }

  @Test
  void noErrorQuotesWhatMayBeAPassword() {
    for (String wrong :
        List.of(
            MODELS + "kafka:\n  properties:\n    ssl.key.password: \"geheim\" x\n",
            MODELS.replace("http://", "http://user:geheim @"))) {
      ConfigException refused =
          assertThrows(ConfigException.class, () -> ConfigFile.read("b.yaml", HERE, wrong));
      StringWriter trace = new StringWriter();
      refused.printStackTrace(new PrintWriter(trace));
      assertFalse(trace.toString().contains("geheim"), trace.toString());
      assertTrue(refused.getMessage().matches("b.yaml:\\d+: .*"), refused.getMessage());
    }
  }

  @Test
  void readsHowTheEngineIsAskedForTokens() {
    String asking = "name: m\n    tokenizer: engine\n    tokenize_timeout: 20ms\n";
    ModelConfig model =
        ConfigFile.read("b.yaml", HERE, MODELS.replace("name: m\n", asking))
            .config()
            .models()
            .get(0);
    assertEquals(TokenizerKind.ENGINE, model.tokenizer());
    assertEquals(Duration.ofMillis(20), model.tokenize().timeout());
    assertRefused(
        MODELS.replace("name: m\n", "name: m\n    tokenizer: bpe\n"),
        "b.yaml:3: models[0].tokenizer must be quad or bytes or engine: bpe");
    assertRefused(
        MODELS.replace("name: m\n", "name: m\n    tokenize_timeout: 0ms\n"),
        "b.yaml:3: models[0].tokenize_timeout must be 1ms to 1m: 0ms");
  }

  private static void assertRefused(String text, String message) {
    assertRefusedIn(HERE, text, message);
  }

  private static void assertRefusedIn(Path folder, String text, String message) {
    ConfigException refused =
        assertThrows(ConfigException.class, () -> ConfigFile.read("b.yaml", folder, text));
    String actual = refused.getMessage();
    assertEquals(message, actual.substring(0, Math.min(actual.length(), message.length())), actual);
  }
}
