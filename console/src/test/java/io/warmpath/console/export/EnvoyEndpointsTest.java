package io.warmpath.console.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.util.JsonFormat;
import io.envoyproxy.envoy.config.core.v3.HealthStatus;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against Envoy's own protocol buffers, whose parser refuses unknown fields. */
class EnvoyEndpointsTest {

  @TempDir private Path folder;

  private static ClusterLoadAssignment parse(String text) throws IOException {
    DiscoveryResponse.Builder response = DiscoveryResponse.newBuilder();
    JsonFormat.parser()
        .usingTypeRegistry(
            JsonFormat.TypeRegistry.newBuilder().add(ClusterLoadAssignment.getDescriptor()).build())
        .merge(text, response);
    assertEquals("2000", response.getVersionInfo());
    assertEquals(1, response.getResourcesCount());
    return response.getResources(0).unpack(ClusterLoadAssignment.class);
  }

  @Test
  void isADiscoveryResponseOfOneCluster() throws IOException {
    ReplicaMap map = SampleMap.of(folder, ExportFormat.ENVOY_EDS, "cluster: llm\n");
    RouterTarget envoy = RouterTargets.envoy(map, folder.resolve("eds.json"));
    RouterWeights weights = SampleMap.weights(map, envoy.scale(), 1.284, 1, 0.716);

    ClusterLoadAssignment assignment = parse(envoy.render(weights));

    assertEquals("llm", assignment.getClusterName());
    assertEquals(1, assignment.getEndpointsCount());
    List<LbEndpoint> endpoints = assignment.getEndpoints(0).getLbEndpointsList();
    assertEquals(
        List.of(1_284, 1_000, 716, 1),
        endpoints.stream().map(one -> one.getLoadBalancingWeight().getValue()).toList());
    assertEquals(HealthStatus.DRAINING, endpoints.get(3).getHealthStatus());
    assertEquals(HealthStatus.UNKNOWN, endpoints.get(0).getHealthStatus());
    assertEquals(
        "10.0.0.2", endpoints.get(1).getEndpoint().getAddress().getSocketAddress().getAddress());
    assertEquals(
        8_000, endpoints.get(1).getEndpoint().getAddress().getSocketAddress().getPortValue());
  }

  @Test
  void theFileIsReplacedAndNothingElseIsLeft() throws IOException {
    ReplicaMap map = SampleMap.of(folder, ExportFormat.ENVOY_EDS, "");
    Path file = Files.createDirectory(folder.resolve("watched")).resolve("eds.json");
    RouterTarget envoy = RouterTargets.envoy(map, file);
    RouterWeights weights = SampleMap.weights(map, envoy.scale(), 1.284, 1, 0.716, 1);

    assertTrue(envoy.apply(weights, 0));

    assertEquals(envoy.render(weights), Files.readString(file));
    try (Stream<Path> files = Files.list(file.getParent())) {
      assertEquals(List.of(file), files.toList());
    }
    assertTrue(envoy.holds(weights));
    Files.writeString(file, "somebody else");
    assertFalse(envoy.holds(weights));
  }
}
