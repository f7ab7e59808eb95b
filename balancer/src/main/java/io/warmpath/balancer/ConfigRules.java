package io.warmpath.balancer;

import io.netty.util.NetUtil;
import io.warmpath.balancer.decision.Arm;
import io.warmpath.balancer.events.EventSettings;
import io.warmpath.balancer.proxy.Limits;
import io.warmpath.balancer.proxy.ReceiveTimeouts;
import io.warmpath.balancer.proxy.RetryBudget;
import io.warmpath.balancer.proxy.Timeouts;
import io.warmpath.balancer.upstream.ConnectionSettings;
import io.warmpath.balancer.upstream.EjectionSettings;
import io.warmpath.balancer.upstream.HealthSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a configuration must hold to. Each failure begins with the field's path in the file. */
final class ConfigRules {

  private ConfigRules() {}

  static void check(BalancerConfig config) {
    ConfigFields.NAME.check(config.name());
    ConfigFields.LISTEN_HOST.check(config.host());
    ConfigFields.LISTEN_PORT.check(config.port());
    ConfigFields.ADMIN_HOST.check(config.adminHost());
    ConfigFields.ADMIN_PORT.check(config.adminPort());
    require(
        config.adminToken() != null || isLoopback(config.adminHost()),
        "admin.host",
        "is not loopback and so needs admin.token_file: " + config.adminHost());
    checkModels(config.models());
    checkArms(config.arms());
    require(
        config.kafka().isEmpty() || config.kafka().containsKey("bootstrap.servers"),
        "kafka",
        "must hold bootstrap.servers");
    ConfigFields.START_TIMEOUT.check(config.startTimeout());
    ConfigFields.CACHE_REPLAY.check(config.cacheReplay());
    checkEvents(config.events());
    checkLimits(config.limits());
    checkTimeouts(config.receiveTimeouts(), config.timeouts());
    checkUpstream(config.connections(), config.health());
    checkEjection(config.ejection());
    checkRetryBudget(config.retryBudget());
    ConfigFields.RETRIES.check(config.maxRetries());
    ConfigFields.TIME_SCALE.check(config.timeScale());
    ConfigFields.EVENT_LOOPS.check(config.eventLoops());
  }

  private static void checkModels(List<ModelConfig> models) {
    require(!models.isEmpty(), "models", "must list at least one model");
    Set<String> names = new HashSet<>();
    Set<String> replicas = new HashSet<>();
    for (int i = 0; i < models.size(); i++) {
      String at = "models[" + i + "]";
      ModelConfig model = models.get(i);
      ConfigFields.MODEL_NAME.check(at + ".name", model.name());
      require(names.add(model.name()), at + ".name", "is there twice: " + model.name());
      ConfigFields.MODEL_BLOCK_TOKENS.check(at + ".block_tokens", model.blockTokens());
      if (model.dns() == null) {
        checkReplicas(model.replicas(), at + ".replicas", replicas);
      } else {
        checkDns(model.dns(), at + ".replicas");
      }
    }
  }

  private static void checkReplicas(List<ReplicaAddress> replicas, String list, Set<String> names) {
    require(!replicas.isEmpty(), list, "must list at least one replica");
    for (int i = 0; i < replicas.size(); i++) {
      String at = list + "[" + i + "]";
      ReplicaAddress replica = replicas.get(i);
      ConfigFields.REPLICA_NAME.check(at + ".name", replica.name());
      require(names.add(replica.name()), at + ".name", "is there twice: " + replica.name());
      ConfigFields.REPLICA_URL.check(at + ".url", replica.url());
    }
  }

  private static void checkDns(DnsReplicas dns, String at) {
    ConfigFields.REPLICAS_DNS.check(at + ".dns", dns.host());
    ConfigFields.REPLICAS_PORT.check(at + ".port", dns.port());
    ConfigFields.REPLICAS_REFRESH.check(at + ".refresh", dns.refresh());
  }

  private static void checkArms(List<Arm> arms) {
    require(!arms.isEmpty(), "arms", "must list at least one policy");
    for (int i = 0; i < arms.size(); i++) {
      String at = arms.size() == 1 ? "policy" : "arms[" + i + "].policy";
      ConfigFields.ARM_POLICY.check(at, arms.get(i).policy());
      ConfigFields.ARM_SHARE.check("arms[" + i + "].share", arms.get(i).share());
    }
  }

  private static void checkEvents(EventSettings events) {
    ConfigFields.EVENTS_BUFFER.check(events.buffer());
    ConfigFields.EVENTS_FLUSH_TIMEOUT.check(events.flushTimeout());
    ConfigFields.EVENTS_SAMPLE_RATE.check(events.sampleRate());
  }

  /** Names other than localhost are not looked up: what they stand for may change. */
  private static boolean isLoopback(String host) {
    byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
    try {
      return address == null
          ? host.equalsIgnoreCase("localhost")
          : InetAddress.getByAddress(address).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static void checkLimits(Limits limits) {
    ConfigFields.LIMITS_BODY_BYTES.check(limits.maxBodyBytes());
    ConfigFields.LIMITS_HEADER_BYTES.check(limits.maxHeaderBytes());
    ConfigFields.LIMITS_HEADERS.check(limits.maxHeaders());
    ConfigFields.LIMITS_REQUESTS.check(limits.maxRequests());
    ConfigFields.LIMITS_REQUESTS_PER_KEY.check(limits.maxRequestsPerKey());
  }

  private static void checkTimeouts(ReceiveTimeouts receive, Timeouts timeouts) {
    ConfigFields.TIMEOUTS_HEADER.check(receive.header());
    ConfigFields.TIMEOUTS_BODY.check(receive.body());
    ConfigFields.TIMEOUTS_KEEP_ALIVE.check(receive.keepAlive());
    ConfigFields.TIMEOUTS_FIRST_TOKEN.check(timeouts.firstToken());
    ConfigFields.TIMEOUTS_IDLE.check(timeouts.idle());
    ConfigFields.TIMEOUTS_TOTAL.check(timeouts.total());
  }

  private static void checkUpstream(ConnectionSettings connections, HealthSettings health) {
    ConfigFields.CONNECTIONS_CONNECT_TIMEOUT.check(connections.connectTimeout());
    ConfigFields.CONNECTIONS_MAX_IDLE.check(connections.maxIdle());
    ConfigFields.CONNECTIONS_KEEP_IDLE.check(connections.keepIdle());
    ConfigFields.HEALTH_INTERVAL.check(health.interval());
    ConfigFields.HEALTH_TIMEOUT.check(health.timeout());
    ConfigFields.HEALTH_FAILURES.check(health.failures());
    ConfigFields.HEALTH_EJECTION.check(health.ejection());
  }

  private static void checkEjection(EjectionSettings ejection) {
    ConfigFields.EJECTION_FAILURES.check(ejection.failures());
    ConfigFields.EJECTION_FAILURE_SHARE.check(ejection.failureShare());
    ConfigFields.EJECTION_MIN_REQUESTS.check(ejection.minRequests());
    ConfigFields.EJECTION_WINDOW.check(ejection.window());
    ConfigFields.EJECTION_MAX_TIME.check(ejection.maxTime());
    ConfigFields.EJECTION_MAX_SHARE.check(ejection.maxShare());
    ConfigFields.EJECTION_SLOW_START.check(ejection.slowStart());
  }

  private static void checkRetryBudget(RetryBudget.Settings budget) {
    ConfigFields.RETRY_BUDGET_SHARE.check(budget.share());
    ConfigFields.RETRY_BUDGET_MINIMUM.check(budget.minimum());
    ConfigFields.RETRY_BUDGET_WINDOW.check(budget.window());
  }

  private static void require(boolean holds, String field, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(field + " " + rule);
    }
  }
}
