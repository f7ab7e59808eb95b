package io.warmpath.balancer;

import io.warmpath.balancer.decision.Arm;
import io.warmpath.balancer.events.EventSettings;
import io.warmpath.balancer.proxy.Limits;
import io.warmpath.balancer.proxy.RetryBudget;
import io.warmpath.balancer.proxy.Timeouts;
import io.warmpath.balancer.upstream.ConnectionSettings;
import io.warmpath.balancer.upstream.EjectionSettings;
import io.warmpath.balancer.upstream.HealthSettings;
import io.warmpath.routing.policy.Policies;
import io.warmpath.routing.prefix.PrefixHasher;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a configuration must hold to. Each failure begins with the option's name in the file. */
final class ConfigRules {

  private static final int MAX_BODY_BYTES = 1 << 30;

  private ConfigRules() {}

  static void check(List<ModelConfig> models, List<Arm> arms, Map<String, Object> kafka) {
    require(!models.isEmpty(), "models", "must list at least one model");
    Set<String> names = new HashSet<>();
    Set<String> replicas = new HashSet<>();
    for (int i = 0; i < models.size(); i++) {
      String option = "models[" + i + "]";
      ModelConfig model = models.get(i);
      require(!model.name().isBlank(), option + ".name", "must not be empty");
      require(names.add(model.name()), option + ".name", "is there twice: " + model.name());
      require(
          model.blockTokens() >= 1 && model.blockTokens() <= PrefixHasher.MAX_BLOCK_TOKENS,
          option + ".block_tokens",
          "must be 1 to " + PrefixHasher.MAX_BLOCK_TOKENS + ": " + model.blockTokens());
      check(model.replicas(), option + ".replicas", replicas);
    }
    checkArms(arms);
    require(
        kafka.isEmpty() || kafka.containsKey("bootstrap.servers"),
        "kafka",
        "must hold bootstrap.servers");
  }

  private static void check(List<ReplicaAddress> replicas, String list, Set<String> names) {
    require(!replicas.isEmpty(), list, "must list at least one replica");
    for (int i = 0; i < replicas.size(); i++) {
      String option = list + "[" + i + "]";
      ReplicaAddress replica = replicas.get(i);
      require(!replica.name().isBlank(), option + ".name", "must not be empty");
      require(names.add(replica.name()), option + ".name", "is there twice: " + replica.name());
      URI url = replica.url();
      require(
          "http".equals(url.getScheme()) && url.getHost() != null && url.getRawQuery() == null,
          option + ".url",
          "must be http://host:port: " + url);
    }
  }

  private static void checkArms(List<Arm> arms) {
    require(!arms.isEmpty(), "arms", "must list at least one policy");
    for (int i = 0; i < arms.size(); i++) {
      String option = arms.size() == 1 ? "policy" : "arms[" + i + "].policy";
      try {
        Policies.parse(arms.get(i).policy());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
      }
      double share = arms.get(i).share();
      require(
          share > 0 && share <= Double.MAX_VALUE,
          "arms[" + i + "].share",
          "must be greater than 0: " + share);
    }
  }

  static void check(
      Limits limits, EventSettings events, HealthSettings health, ConnectionSettings connections) {
    require(
        limits.maxBodyBytes() >= 1 && limits.maxBodyBytes() <= MAX_BODY_BYTES,
        "limits.body_bytes",
        "must be 1 to " + MAX_BODY_BYTES + ": " + limits.maxBodyBytes());
    atLeast("limits.header_bytes", limits.maxHeaderBytes(), 1024);
    atLeast("events.buffer", events.buffer(), 1);
    double rate = events.sampleRate();
    require(rate >= 0 && rate <= 1, "events.sample_rate", "must be 0 to 1: " + rate);
    notNegative("events.flush_timeout", events.flushTimeout());
    notNegative("health.interval", health.interval());
    positive("health.timeout", health.timeout());
    atLeast("health.failures", health.failures(), 1);
    notNegative("health.ejection", health.ejection());
    positive("connections.connect_timeout", connections.connectTimeout());
    atLeast("connections.max_idle", connections.maxIdle(), 0);
    notNegative("connections.keep_idle", connections.keepIdle());
  }

  static void check(Timeouts timeouts) {
    positive("timeouts.first_token", timeouts.firstToken());
    positive("timeouts.idle", timeouts.idle());
    positive("timeouts.total", timeouts.total());
  }

  static void check(EjectionSettings ejection) {
    atLeast("ejection.failures", ejection.failures(), 0);
    double failed = ejection.failureShare();
    require(
        failed > 0 && failed <= 1,
        "ejection.failure_share",
        "must be greater than 0, at most 1: " + failed);
    atLeast("ejection.min_requests", ejection.minRequests(), 1);
    positive("ejection.window", ejection.window());
    notNegative("ejection.max_time", ejection.maxTime());
    double out = ejection.maxShare();
    require(out >= 0 && out <= 1, "ejection.max_share", "must be 0 to 1: " + out);
    notNegative("ejection.slow_start", ejection.slowStart());
  }

  static void check(RetryBudget.Settings budget) {
    double share = budget.share();
    require(share >= 0 && share <= 10, "retry_budget.share", "must be 0 to 10: " + share);
    atLeast("retry_budget.minimum", budget.minimum(), 0);
    positive("retry_budget.window", budget.window());
  }

  static void atLeast(String option, long value, long least) {
    require(value >= least, option, "must be at least " + least + ": " + value);
  }

  private static void positive(String option, Duration value) {
    require(value.toMillis() > 0, option, "must be at least 1ms: " + value);
  }

  private static void notNegative(String option, Duration value) {
    require(!value.isNegative(), option, "must not be negative: " + value);
  }

  static void require(boolean holds, String option, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(option + " " + rule);
    }
  }
}
