package io.warmpath.console.export;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Function;

/**
 * Envoy's endpoints (EDS) as its file subscription reads them: a {@code DiscoveryResponse} with one
 * {@code ClusterLoadAssignment}, in the JSON form of its protocol buffers. A drained replica stays
 * an endpoint with the health {@code DRAINING}, as 0 is no weight there.
 *
 * @param cluster the cluster's name, or its {@code service_name}
 */
record EnvoyEndpoints(String cluster) implements Function<RouterWeights, String> {

  private static final String TYPE =
      "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment";
  private static final JsonMapper JSON = new JsonMapper();

  @Override
  public String apply(RouterWeights weights) {
    ObjectNode response = JSON.createObjectNode();
    response.put("version_info", version(weights.shares()));
    ObjectNode assignment = response.putArray("resources").addObject();
    assignment.put("@type", TYPE);
    assignment.put("cluster_name", cluster);
    ArrayNode endpoints = assignment.putArray("endpoints").addObject().putArray("lb_endpoints");
    for (RouterWeight one : weights.replicas()) {
      ObjectNode endpoint = endpoints.addObject();
      ObjectNode address =
          endpoint.putObject("endpoint").putObject("address").putObject("socket_address");
      address.put("address", one.replica().host());
      address.put("port_value", one.replica().port());
      endpoint.put("health_status", one.weight() == 0 ? "DRAINING" : "UNKNOWN");
      endpoint.put("load_balancing_weight", Math.max(1, one.weight()));
    }
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(response) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write endpoints", e);
    }
  }

  private static String version(FleetShares shares) {
    return switch (shares.lease()) {
      case NONE -> "equal";
      case IN_FORCE -> Long.toString(shares.epoch());
      case OVER -> shares.epoch() + "-over";
    };
  }
}
