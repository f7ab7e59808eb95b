package io.warmpath.balancer.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.warmpath.balancer.decision.Arm;
import io.warmpath.balancer.decision.DecisionLog;
import io.warmpath.balancer.decision.ModelRouter;
import io.warmpath.balancer.events.EventSink;
import io.warmpath.balancer.metrics.PrometheusProtobuf;
import io.warmpath.balancer.metrics.PrometheusText;
import io.warmpath.balancer.metrics.RequestMetrics;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.RoutingDecision;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pages of the admin port. */
public final class AdminPages {

  private static final Logger LOG = LoggerFactory.getLogger(AdminPages.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String JSON_TYPE = "application/json";

  /** Most decisions in an answer: it is made on an event loop that serves requests. */
  private static final int MAX_DECISIONS = 1_000;

  /** An answer takes no further decision once it is as long as this. */
  private static final int DECISIONS_BYTES = 1 << 20;

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");
  private static final Pattern OF_REPLICA =
      Pattern.compile("/admin/replicas/([^/?]+)/(drain|undrain)");

  /** An answer. */
  record Page(int status, String contentType, byte[] body) {

    Page(int status, String contentType, String body) {
      this(status, contentType, body.getBytes(StandardCharsets.UTF_8));
    }

    static Page json(JsonNode body) {
      return new Page(200, JSON_TYPE, body.toString() + "\n");
    }

    static Page error(int status, String message) {
      return new Page(
          status, JSON_TYPE, JSON.createObjectNode().put("error", message).toString() + "\n");
    }
  }

  private final List<ModelRouter> routers;
  private final RequestMetrics requests;
  private final StateMetrics state;
  private final DecisionLog decisions;
  private final Consumer<PrometheusText> more;

  /**
   * @param more writes the metrics of other parts
   */
  public AdminPages(
      List<ModelRouter> routers,
      RequestMetrics requests,
      EventSink events,
      LongSupplier epochMillis,
      DecisionLog decisions,
      Consumer<PrometheusText> more) {
    this.routers = List.copyOf(routers);
    this.requests = requests;
    this.decisions = decisions;
    this.more = more;
    this.state = new StateMetrics(this.routers, events, epochMillis);
  }

  /**
   * @param accept the {@code Accept} header, or null
   */
  Page page(String method, String uri, String accept, String body) {
    return switch (method + " " + uri) {
      case "GET /health" -> Page.json(JSON.createObjectNode().put("status", "ok"));
      case "GET /metrics" -> metrics(accept);
      case "GET /admin/replicas" -> Page.json(replicas());
      case "POST /admin/policy" -> changePolicy(body);
      default -> {
        Page logged = decisions(method, uri);
        yield logged != null ? logged : ofReplica(method, uri);
      }
    };
  }

  /** The first decisions logged after a number, one a line; null if that is not what is asked. */
  private Page decisions(String method, String uri) {
    QueryStringDecoder query = new QueryStringDecoder(uri);
    if (!method.equals("GET") || !query.path().equals("/admin/decisions")) {
      return null;
    }
    List<String> after = query.parameters().getOrDefault("after", List.of("0"));
    if (!NUMBER.matcher(after.get(0)).matches()) {
      return Page.error(400, "after must be the number of a record.");
    }
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (RoutingDecision next : decisions.after(Long.parseLong(after.get(0)), MAX_DECISIONS)) {
      lines.writeBytes(Codecs.ROUTING_DECISION.encode(next));
      lines.write('\n');
      if (lines.size() >= DECISIONS_BYTES) {
        break;
      }
    }
    return new Page(200, "application/x-ndjson", lines.toByteArray());
  }

  /** What is done to one replica, {@code POST /admin/replicas/NAME/drain} or {@code undrain}. */
  private Page ofReplica(String method, String uri) {
    Matcher path = OF_REPLICA.matcher(uri);
    if (!method.equals("POST") || !path.matches()) {
      return Page.error(404, "There is nothing at " + method + " " + uri + ".");
    }
    String name = QueryStringDecoder.decodeComponent(path.group(1));
    List<Served> all = served(name);
    return all.isEmpty()
        ? Page.error(404, "There is no replica '" + name + "'.")
        : drain(name, all, path.group(2).equals("drain"));
  }

  /** A replica in its part for one model. */
  private record Served(ModelRouter router, Replica replica) {}

  /** One address that the names of several models have is a replica of each of them. */
  private List<Served> served(String name) {
    return routers.stream()
        .flatMap(
            router ->
                router.replicas().stream()
                    .filter(replica -> replica.name().equals(name))
                    .map(replica -> new Served(router, replica)))
        .toList();
  }

  private static Page drain(String name, List<Served> all, boolean on) {
    int inFlight = 0;
    for (Served served : all) {
      if (on) {
        served.replica().health().drain();
      } else {
        served.replica().health().undrain();
      }
      inFlight += served.router().inFlight(served.replica());
    }
    LOG.info("{} gets {}", name, on ? "no new requests" : "requests again");
    return Page.json(
        JSON.createObjectNode()
            .put("name", name)
            .put("state", all.get(0).replica().health().state().label())
            .put("in_flight", inFlight));
  }

  private Page metrics(String accept) {
    PrometheusText text = metrics();
    return PrometheusProtobuf.isAsked(accept)
        ? new Page(200, PrometheusProtobuf.CONTENT_TYPE, PrometheusProtobuf.write(text.families()))
        : new Page(200, PrometheusText.CONTENT_TYPE, text.toString());
  }

  /** All metrics as they are now. */
  public PrometheusText metrics() {
    PrometheusText text = new PrometheusText();
    requests.writeTo(text);
    state.writeTo(text);
    more.accept(text);
    return text;
  }

  /** All replicas, those of all models; the head is the first model's. */
  private ObjectNode replicas() {
    ModelRouter first = routers.get(0);
    ObjectNode page = JSON.createObjectNode();
    page.put("policy", first.policies());
    page.put("model", first.model());
    page.put("weights_epoch", first.weights().epoch());
    ArrayNode list = page.putArray("replicas");
    for (ModelRouter router : routers) {
      for (Replica replica : router.knownReplicas()) {
        list.addObject()
            .put("name", replica.name())
            .put("url", replica.url().toString())
            .put("model", router.model())
            .put("weight", router.weight(replica))
            .put("in_flight", router.inFlight(replica))
            .put("state", router.serves(replica) ? replica.health().state().label() : "removed")
            .put("reports_cache", router.index().isReporting(replica.name()));
      }
    }
    return page;
  }

  private Page changePolicy(String body) {
    String name;
    try {
      name = JSON.readTree(body).path("policy").asText(null);
    } catch (JsonProcessingException e) {
      return Page.error(400, "The body is not valid JSON.");
    }
    if (name == null) {
      return Page.error(400, "The body must be {\"policy\": \"name\"}.");
    }
    try {
      for (ModelRouter router : routers) {
        router.follow(List.of(new Arm(name, 1)));
      }
    } catch (IllegalArgumentException e) {
      return Page.error(400, e.getMessage());
    }
    LOG.info("new requests follow policy {}", name);
    return Page.json(JSON.createObjectNode().put("policy", routers.get(0).policies()));
  }
}
