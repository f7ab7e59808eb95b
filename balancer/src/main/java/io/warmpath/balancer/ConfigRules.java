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
    ClientFields.LISTEN_HOST.check(config.host());
    ClientFields.LISTEN_PORT.check(config.port());
    ClientFields.ADMIN_HOST.check(config.adminHost());
    ClientFields.ADMIN_PORT.check(config.adminPort());
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
    ObservationFields.check(config);
    checkLimits(config.limits());
    checkTimeouts(config.receiveTimeouts(), config.timeouts());
    checkUpstream(config.connections(), config.health());
    checkEjection(config.ejection());
    checkRetryBudget(config.retryBudget());
    ReplicaFields.RETRIES.check(config.maxRetries());
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
      ConfigFields.MODEL_TOKENIZE_TIMEOUT.check(
          at + ".tokenize_timeout", model.tokenize().timeout());
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
    ClientFields.LIMITS_BODY_BYTES.check(limits.maxBodyBytes());
    ClientFields.LIMITS_HEADER_BYTES.check(limits.maxHeaderBytes());
    ClientFields.LIMITS_HEADERS.check(limits.maxHeaders());
    ClientFields.LIMITS_REQUESTS.check(limits.maxRequests());
    ClientFields.LIMITS_REQUESTS_PER_KEY.check(limits.maxRequestsPerKey());
    ClientFields.LIMITS_STREAMS.check(limits.maxStreams());
    ClientFields.LIMITS_BUFFERED_BYTES.check(limits.maxBufferedBytes());
    require(
        limits.maxBufferedBytes() >= limits.maxBodyBytes(),
        "limits.buffered_bytes",
        "must be at least limits.body_bytes: " + limits.maxBufferedBytes());
    ClientFields.LIMITS_CONNECTIONS.check(limits.maxConnections());
  }

  private static void checkTimeouts(ReceiveTimeouts receive, Timeouts timeouts) {
    ClientFields.TIMEOUTS_HEADER.check(receive.header());
    ClientFields.TIMEOUTS_BODY.check(receive.body());
    ClientFields.TIMEOUTS_KEEP_ALIVE.check(receive.keepAlive());
    ReplicaFields.TIMEOUTS_FIRST_TOKEN.check(timeouts.firstToken());
    ReplicaFields.TIMEOUTS_IDLE.check(timeouts.idle());
    ReplicaFields.TIMEOUTS_TOTAL.check(timeouts.total());
  }

  private static void checkUpstream(ConnectionSettings connections, HealthSettings health) {
    ReplicaFields.CONNECTIONS_CONNECT_TIMEOUT.check(connections.connectTimeout());
    ReplicaFields.CONNECTIONS_MAX_IDLE.check(connections.maxIdle());
    ReplicaFields.CONNECTIONS_KEEP_IDLE.check(connections.keepIdle());
    ReplicaFields.HEALTH_INTERVAL.check(health.interval());
    ReplicaFields.HEALTH_TIMEOUT.check(health.timeout());
    ReplicaFields.HEALTH_FAILURES.check(health.failures());
    ReplicaFields.HEALTH_EJECTION.check(health.ejection());
  }

  private static void checkEjection(EjectionSettings ejection) {
    ReplicaFields.EJECTION_FAILURES.check(ejection.failures());
    ReplicaFields.EJECTION_FAILURE_SHARE.check(ejection.failureShare());
    ReplicaFields.EJECTION_MIN_REQUESTS.check(ejection.minRequests());
    ReplicaFields.EJECTION_WINDOW.check(ejection.window());
    ReplicaFields.EJECTION_MAX_TIME.check(ejection.maxTime());
    ReplicaFields.EJECTION_MAX_SHARE.check(ejection.maxShare());
    ReplicaFields.EJECTION_SLOW_START.check(ejection.slowStart());
  }

  private static void checkRetryBudget(RetryBudget.Settings budget) {
    ReplicaFields.RETRY_BUDGET_SHARE.check(budget.share());
    ReplicaFields.RETRY_BUDGET_MINIMUM.check(budget.minimum());
    ReplicaFields.RETRY_BUDGET_WINDOW.check(budget.window());
  }

  private static void require(boolean holds, String field, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(field + " " + rule);
    }
  }
}
