package io.warmpath.balancer;

import io.netty.handler.ssl.SslContext;
import io.warmpath.balancer.decision.Arm;
import io.warmpath.balancer.decision.DecisionLogSettings;
import io.warmpath.balancer.events.EventSettings;
import io.warmpath.balancer.proxy.Limits;
import io.warmpath.balancer.proxy.ReceiveTimeouts;
import io.warmpath.balancer.proxy.RetryBudget;
import io.warmpath.balancer.proxy.Timeouts;
import io.warmpath.balancer.proxy.UnknownModel;
import io.warmpath.balancer.security.ApiKeys;
import io.warmpath.balancer.security.Secret;
import io.warmpath.balancer.trace.TracingSettings;
import io.warmpath.balancer.upstream.ConnectionSettings;
import io.warmpath.balancer.upstream.EjectionSettings;
import io.warmpath.balancer.upstream.HealthSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The configuration of a balancer; made by {@link #builder()} or read by {@link ConfigFile}.
 *
 * @param name name in events
 * @param host address that clients connect to
 * @param port its port, 0 for any
 * @param adminHost address of the admin pages
 * @param adminPort their port, 0 for any
 * @param listenTls how clients' connections are encrypted, null for not at all
 * @param adminTls how connections to them are encrypted, null for not at all
 * @param adminToken what {@code /admin/} needs, null for nothing
 * @param apiKeys the keys that clients need
 * @param upstreamTls how connections to replicas with {@code https} are encrypted, null for as Java
 *     does by default
 * @param models what is served
 * @param unknownModel what becomes of requests for other models
 * @param arms policies and their shares of the conversations
 * @param kafka properties of the Kafka clients; empty for none: no events, weights and cache events
 * @param events how events are kept and sent
 * @param decisions what is logged of decisions
 * @param tracing where traces go
 * @param startTimeout how long a start waits for the topics to be read; after that it serves
 *     without
 * @param cacheReplay how far back cache events are read at the start
 * @param limits bounds on requests
 * @param receiveTimeouts bounds on the time that clients take to send
 * @param timeouts bounds on time
 * @param connections connections to replicas
 * @param health how replicas are watched
 * @param ejection when replicas are left out for the answers they give
 * @param maxRetries attempts beyond the first, at most
 * @param retryBudget how many retries all requests together may take
 * @param timeScale how much faster than real the replicas run: factor of all durations in events
 *     and metrics, at least 1
 * @param eventLoops threads that serve, 0 for one a processor
 */
public record BalancerConfig(
    String name,
    String host,
    int port,
    String adminHost,
    int adminPort,
    SslContext listenTls,
    SslContext adminTls,
    Secret adminToken,
    ApiKeys apiKeys,
    SslContext upstreamTls,
    List<ModelConfig> models,
    UnknownModel unknownModel,
    List<Arm> arms,
    Map<String, Object> kafka,
    EventSettings events,
    DecisionLogSettings decisions,
    TracingSettings tracing,
    Duration startTimeout,
    Duration cacheReplay,
    Limits limits,
    ReceiveTimeouts receiveTimeouts,
    Timeouts timeouts,
    ConnectionSettings connections,
    HealthSettings health,
    EjectionSettings ejection,
    int maxRetries,
    RetryBudget.Settings retryBudget,
    double timeScale,
    int eventLoops) {

  static final String LOOPBACK = "127.0.0.1";
  static final int PORT = 8080;
  static final int ADMIN_PORT = 8081;

  public BalancerConfig {
    models = List.copyOf(models);
    arms = List.copyOf(arms);
    kafka = Map.copyOf(kafka);
  }

  public static Builder builder() {
    return new Builder();
  }

  /** The same under another name. */
  public BalancerConfig withName(String other) {
    return new BalancerConfig(
        other,
        host,
        port,
        adminHost,
        adminPort,
        listenTls,
        adminTls,
        adminToken,
        apiKeys,
        upstreamTls,
        models,
        unknownModel,
        arms,
        kafka,
        events,
        decisions,
        tracing,
        startTimeout,
        cacheReplay,
        limits,
        receiveTimeouts,
        timeouts,
        connections,
        health,
        ejection,
        maxRetries,
        retryBudget,
        timeScale,
        eventLoops);
  }

  /** Without Kafka's properties: some are secrets. */
  @Override
  public String toString() {
    return "BalancerConfig[" + name + ", " + host + ":" + port + ", " + models + ", " + arms + "]";
  }

  /** Collects a configuration; all but the models has a default. */
  public static final class Builder {

    private String name = ConfigFields.NAME.otherwise();
    private String host = LOOPBACK;
    private int port = PORT;
    private String adminHost = LOOPBACK;
    private int adminPort = ADMIN_PORT;
    private SslContext listenTls;
    private SslContext adminTls;
    private Secret adminToken;
    private ApiKeys apiKeys = ApiKeys.OPEN;
    private SslContext upstreamTls;
    private final List<ModelConfig> models = new ArrayList<>();
    private UnknownModel unknownModel = UnknownModel.REFUSE;
    private List<Arm> arms = List.of(new Arm("adaptive", 1));
    private Map<String, Object> kafka = Map.of();
    private EventSettings events = EventSettings.DEFAULTS;
    private DecisionLogSettings decisions = DecisionLogSettings.DEFAULTS;
    private TracingSettings tracing = TracingSettings.OFF;
    private Duration startTimeout = ConfigFields.START_TIMEOUT.otherwise();
    private Duration cacheReplay = ConfigFields.CACHE_REPLAY.otherwise();
    private Limits limits = Limits.DEFAULTS;
    private ReceiveTimeouts receiveTimeouts = ReceiveTimeouts.DEFAULTS;
    private Timeouts timeouts = Timeouts.DEFAULTS;
    private ConnectionSettings connections = ConnectionSettings.DEFAULTS;
    private HealthSettings health = HealthSettings.DEFAULTS;
    private EjectionSettings ejection = EjectionSettings.DEFAULTS;
    private int maxRetries = ReplicaFields.RETRIES.otherwise();
    private RetryBudget.Settings retryBudget = RetryBudget.Settings.DEFAULTS;
    private double timeScale = 1;
    private int eventLoops;

    private Builder() {}

    public Builder name(String value) {
      name = value;
      return this;
    }

    public Builder listen(String address, int onPort) {
      host = address;
      port = onPort;
      return this;
    }

    public Builder admin(String address, int onPort) {
      adminHost = address;
      adminPort = onPort;
      return this;
    }

    /** Encrypts clients' connections; null for not at all. */
    public Builder listenTls(SslContext value) {
      listenTls = value;
      return this;
    }

    /** Encrypts connections to the admin pages; null for not at all. */
    public Builder adminTls(SslContext value) {
      adminTls = value;
      return this;
    }

    /** What {@code /admin/} needs; null for nothing. */
    public Builder adminToken(Secret value) {
      adminToken = value;
      return this;
    }

    public Builder apiKeys(ApiKeys value) {
      apiKeys = value;
      return this;
    }

    public Builder upstreamTls(SslContext value) {
      upstreamTls = value;
      return this;
    }

    public Builder receiveTimeouts(ReceiveTimeouts value) {
      receiveTimeouts = value;
      return this;
    }

    /** Adds a model. */
    public Builder model(ModelConfig value) {
      models.add(value);
      return this;
    }

    public Builder unknownModel(UnknownModel value) {
      unknownModel = value;
      return this;
    }

    /** Routes all requests by one policy. */
    public Builder policy(String value) {
      return arms(List.of(new Arm(value, 1)));
    }

    public Builder arms(List<Arm> value) {
      arms = value;
      return this;
    }

    public Builder kafka(Map<String, Object> clientProperties) {
      kafka = clientProperties;
      return this;
    }

    public Builder events(EventSettings value) {
      events = value;
      return this;
    }

    public Builder decisions(DecisionLogSettings value) {
      decisions = value;
      return this;
    }

    public Builder tracing(TracingSettings value) {
      tracing = value;
      return this;
    }

    public Builder startTimeout(Duration value) {
      startTimeout = value;
      return this;
    }

    public Builder cacheReplay(Duration value) {
      cacheReplay = value;
      return this;
    }

    public Builder limits(Limits value) {
      limits = value;
      return this;
    }

    public Builder timeouts(Timeouts value) {
      timeouts = value;
      return this;
    }

    public Builder connections(ConnectionSettings value) {
      connections = value;
      return this;
    }

    public Builder health(HealthSettings value) {
      health = value;
      return this;
    }

    public Builder ejection(EjectionSettings value) {
      ejection = value;
      return this;
    }

    public Builder retryBudget(RetryBudget.Settings value) {
      retryBudget = value;
      return this;
    }

    public Builder maxRetries(int value) {
      maxRetries = value;
      return this;
    }

    public Builder timeScale(double value) {
      timeScale = value;
      return this;
    }

    public Builder eventLoops(int value) {
      eventLoops = value;
      return this;
    }

    /**
     * @throws IllegalArgumentException if a value is missing or out of range; the message names the
     *     field
     */
    public BalancerConfig build() {
      BalancerConfig config =
          new BalancerConfig(
              name,
              host,
              port,
              adminHost,
              adminPort,
              listenTls,
              adminTls,
              adminToken,
              apiKeys,
              upstreamTls,
              models,
              unknownModel,
              arms,
              kafka,
              events,
              decisions,
              tracing,
              startTimeout,
              cacheReplay,
              limits,
              receiveTimeouts,
              timeouts,
              connections,
              health,
              ejection,
              maxRetries,
              retryBudget,
              timeScale,
              eventLoops);
      ConfigRules.check(config);
      return config;
    }
  }
}
