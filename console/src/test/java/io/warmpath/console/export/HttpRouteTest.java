package io.warmpath.console.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPBackendRef;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against the model that fabric8 makes from the Gateway API's definitions. */
class HttpRouteTest {

  private static final String ROUTE =
      """
      apiVersion: gateway.networking.k8s.io/v1
      kind: HTTPRoute
      metadata:
        name: llama
        annotations: {example.com/version: "1.0"}
      spec:
        parentRefs: [{name: edge}]
        hostnames: [llm.example.com]
        rules:
          - matches: [{path: {type: PathPrefix, value: /v1}}]
            timeouts: {request: 600s}
            backendRefs:
              - {name: replica-0, port: 8000}
              - {name: replica-1, port: 8000, weight: 7}
              - {name: replica-2, port: 8000}
              - {name: replica-3, port: 8000}
              - {name: elsewhere, port: 8000, weight: 3}
          - matches: [{path: {type: PathPrefix, value: /docs}}]
            backendRefs: [{name: pages, port: 80}]
      """;

  private static final YAMLMapper STRICT =
      YAMLMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  @TempDir private Path folder;

  private RouterTarget route(String text) throws IOException {
    Files.writeString(folder.resolve("route.yaml"), text);
    return RouterTargets.httpRoute(map(), folder.resolve("out.yaml"));
  }

  private ReplicaMap map() throws IOException {
    return SampleMap.of(folder, ExportFormat.GATEWAY_HTTPROUTE, "route: route.yaml\n");
  }

  @Test
  void servicesOfReplicasGetTheirWeights() throws IOException {
    RouterTarget target = route(ROUTE);

    HTTPRoute route =
        STRICT.readValue(
            target.render(SampleMap.weights(map(), target.scale(), 1.284, 1, 0.716)),
            HTTPRoute.class);

    assertTrue(route.getAdditionalProperties().isEmpty());
    List<HTTPBackendRef> backends = route.getSpec().getRules().get(0).getBackendRefs();
    assertEquals(
        List.of(1_284, 1_000, 716, 0, 3),
        backends.stream().map(HTTPBackendRef::getWeight).toList());
    assertTrue(backends.stream().allMatch(one -> one.getAdditionalProperties().isEmpty()));
    assertEquals(null, route.getSpec().getRules().get(1).getBackendRefs().get(0).getWeight());
  }

  @Test
  void allElseOfTheRouteStays() throws IOException {
    RouterTarget target = route(ROUTE);
    JsonNode before = STRICT.readTree(ROUTE);
    JsonNode after =
        STRICT.readTree(target.render(SampleMap.weights(map(), target.scale(), 1.3, 1, 0.7, 1)));

    for (JsonNode tree : List.of(before, after)) {
      tree.at("/spec/rules/0/backendRefs")
          .forEach(one -> ((com.fasterxml.jackson.databind.node.ObjectNode) one).remove("weight"));
    }
    assertEquals(before, after);
  }

  @Test
  void aRouteWithoutAReplicasServiceIsRefused() {
    IllegalArgumentException wrong =
        assertThrows(
            IllegalArgumentException.class, () -> route(ROUTE.replace("replica-2", "other")));
    assertTrue(wrong.getMessage().endsWith("name the service replica-2"), wrong::getMessage);
    assertThrows(
        IllegalArgumentException.class, () -> route(ROUTE.replace("HTTPRoute", "TCPRoute")));
  }
}
