package io.warmpath.lab.stack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Acts on a running fleet through the balancer's admin address. */
public final class FleetAdmin {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int OK = 200;
  private static final int MOST_ERROR_TEXT = 300;
  private static final String FAULTS = "/admin/faults";

  private final URI admin;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

  /**
   * @param admin the balancer's admin address
   */
  public FleetAdmin(URI admin) {
    if (admin.getScheme() == null || admin.getHost() == null) {
      throw new IllegalArgumentException("--admin is no URL: " + admin);
    }
    this.admin = admin;
  }

  /**
   * Base URL of each replica, by name.
   *
   * @throws IllegalStateException if the balancer does not answer as it should
   */
  public Map<String, URI> replicas() {
    Map<String, URI> replicas = new LinkedHashMap<>();
    for (JsonNode replica : fleet().path("replicas")) {
      replicas.put(replica.path("name").asText(), URI.create(replica.path("url").asText()));
    }
    return replicas;
  }

  /** Epoch of the weights that the balancer follows, 0 before the first. */
  public long weightsEpoch() {
    return fleet().path("weights_epoch").asLong();
  }

  private JsonNode fleet() {
    return exchange(HttpRequest.newBuilder(admin.resolve("/admin/replicas")).GET(), "the balancer");
  }

  /**
   * Sets the speed of a modelled replica.
   *
   * @param factor 1 is its normal speed, 0.5 is half of it
   * @throws IllegalArgumentException if there is no such replica; the message lists them
   * @throws IllegalStateException if the balancer or the replica do not answer as they should
   */
  public void setSpeed(String replica, double factor) {
    post(urlOf(replica), "/admin/speed", "{\"factor\":" + factor + "}", replica);
  }

  /**
   * What a modelled replica is told to do wrong.
   *
   * @throws IllegalArgumentException if there is no such replica; the message lists them
   * @throws IllegalStateException if the balancer or the replica do not answer as they should
   */
  public JsonNode faults(String replica) {
    return exchange(HttpRequest.newBuilder(urlOf(replica).resolve(FAULTS)).GET(), replica);
  }

  /**
   * Tells a modelled replica what to do wrong.
   *
   * @param faults numbers, {@code true} or {@code false}, by name
   * @return what is set now
   * @throws IllegalArgumentException if there is no such replica (the message lists them), or a
   *     value is neither a number nor a truth
   * @throws IllegalStateException if the balancer or the replica do not answer as they should
   */
  public JsonNode setFaults(String replica, Map<String, String> faults) {
    ObjectNode order = JSON.createObjectNode();
    faults.forEach((name, value) -> order.set(name, value(name, value)));
    return post(urlOf(replica), FAULTS, order.toString(), replica);
  }

  private static JsonNode value(String name, String text) {
    try {
      JsonNode value = JSON.readTree(text);
      if (value.isNumber() || value.isBoolean()) {
        return value;
      }
    } catch (JsonProcessingException e) {
      // Neither, then.
    }
    throw new IllegalArgumentException(
        name + "=" + text + ": the value must be a number, true or false");
  }

  /**
   * Changes what new requests are routed by.
   *
   * @throws IllegalStateException if the balancer does not answer or knows no such policy
   */
  public void setPolicy(String policy) {
    post(admin, "/admin/policy", "{\"policy\":\"" + policy + "\"}", "the balancer");
  }

  /** Empties the prefix cache of every replica. */
  public void resetCaches() {
    replicas().forEach((name, url) -> post(url, "/reset_prefix_cache", "", name));
  }

  private URI urlOf(String replica) {
    Map<String, URI> replicas = replicas();
    URI url = replicas.get(replica);
    if (url == null) {
      throw new IllegalArgumentException(
          "no replica '" + replica + "'; there are " + String.join(", ", replicas.keySet()));
    }
    return url;
  }

  private JsonNode post(URI base, String path, String body, String whom) {
    return exchange(
        HttpRequest.newBuilder(base.resolve(path))
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body)),
        whom);
  }

  private JsonNode exchange(HttpRequest.Builder builder, String whom) {
    HttpRequest request = builder.timeout(TIMEOUT).build();
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      String body = response.body();
      if (response.statusCode() != OK) {
        throw new IllegalStateException(
            whom
                + " answered "
                + response.statusCode()
                + " to "
                + request.uri()
                + ": "
                + body.substring(0, Math.min(body.length(), MOST_ERROR_TEXT)));
      }
      return body.isBlank() ? JSON.createObjectNode() : JSON.readTree(body);
    } catch (IOException e) {
      throw new IllegalStateException(
          whom + " cannot be reached at " + request.uri() + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
