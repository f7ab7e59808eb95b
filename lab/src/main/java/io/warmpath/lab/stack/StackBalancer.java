package io.warmpath.lab.stack;

import io.warmpath.balancer.BalancerConfig;
import io.warmpath.balancer.ModelConfig;
import io.warmpath.balancer.ReplicaAddress;
import io.warmpath.balancer.prompt.TokenizerKind;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The configuration of a stack's balancer. */
final class StackBalancer {

  /** How far back a balancer that goes on reads what the replicas hold. */
  static final Duration ALL_REPLAY = Duration.ofMinutes(30);

  private StackBalancer() {}

  /**
   * A configuration on loopback.
   *
   * @param cacheReplay how far back cache events are read; zero for a balancer that knows nothing
   */
  static BalancerConfig of(
      StackConfig stack,
      String host,
      StackPorts ports,
      String policy,
      Duration cacheReplay,
      Map<String, URI> replicas,
      Map<String, Object> kafka) {
    List<ReplicaAddress> addresses =
        replicas.entrySet().stream()
            .map(one -> new ReplicaAddress(one.getKey(), one.getValue()))
            .toList();
    return BalancerConfig.builder()
        .listen(host, ports.balancer())
        .admin(host, ports.admin())
        .model(
            new ModelConfig(
                StackConfig.MODEL, TokenizerKind.QUAD, stack.profile().blockTokens(), addresses))
        .policy(policy)
        .kafka(kafka)
        .cacheReplay(cacheReplay)
        .timeScale(stack.timeScale())
        .build();
  }
}
