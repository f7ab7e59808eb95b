package io.warmpath.lab.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.warmpath.lab.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * deploy/kubernetes as a cluster would see it: known types without unknown fields, and everything
 * that one object says of another is so.
 */
class KubernetesTest {

  private static final Path ROOT = SharedData.projectRoot();

  /** Newest version of Flink that the definition in the operator's jar has heard of. */
  private static final String NEWEST_KNOWN_FLINK = "v1_20";

  private static KnownTypes types;

  @BeforeAll
  static void read() throws IOException {
    types = new KnownTypes();
  }

  private static Overlay overlay(String name) throws IOException {
    return Overlay.build(ROOT.resolve("deploy/kubernetes/overlays").resolve(name));
  }

  private static ObjectNode owner(Overlay overlay, Pods pods) {
    String[] kindAndName = pods.owner().split("/");
    return overlay.get(kindAndName[0], kindAndName[1]);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev", "production", "last-state"})
  void hasOnlyKnownTypesAndFields(String name) throws IOException {
    for (ObjectNode object : overlay(name).objects()) {
      ObjectNode known = object.deepCopy();
      if (known.path("kind").asText().equals("FlinkDeployment")) {
        // The newest jar of the operator's API that Maven Central has is older than the operator.
        ((ObjectNode) known.get("spec")).put("flinkVersion", NEWEST_KNOWN_FLINK);
      }
      assertEquals(List.of(), types.faults(known), object.at("/metadata/name").asText());
      assertEquals(
          object.path("kind").asText().equals("Namespace") ? "" : "warmpath",
          object.at("/metadata/namespace").asText());
    }
  }

  @Test
  void findsUnknownFields() throws IOException {
    ObjectNode flink = overlay("dev").get("FlinkDeployment", "shadow");
    assertFalse(types.faults(flink).isEmpty(), "no older definition any more: " + flink);
    ((ObjectNode) flink.get("spec")).put("flinkVersion", NEWEST_KNOWN_FLINK);
    assertEquals(List.of(), types.faults(flink));
    ((ObjectNode) flink.at("/spec/job")).put("upgradeModus", "savepoint");
    assertEquals(1, types.faults(flink).size());

    ObjectNode balancer = overlay("dev").get("Deployment", "balancer");
    ((ObjectNode) balancer.at("/spec/template/spec/containers/0")).put("arguments", "x");
    assertEquals(1, types.faults(balancer).size());
    ObjectNode monitor = overlay("production").get("PodMonitor", "flink");
    ((ObjectNode) monitor.get("spec")).put("endpoints", "x");
    assertEquals(1, types.faults(monitor).size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev", "production", "last-state"})
  void refersToNothingThatIsMissing(String name) throws IOException {
    Overlay overlay = overlay(name);
    String page = Files.readString(ROOT.resolve("docs/kubernetes.md"));
    Map<String, List<String>> references = overlay.references();
    assertTrue(references.size() >= 5, references.toString());
    references.forEach(
        (reference, who) -> {
          String[] parts = reference.split("/");
          assertTrue(
              overlay.get(parts[0], parts[1]) != null
                  || (parts[0].equals("Secret") && page.contains("| `" + parts[1] + "` |")),
              who + " refer to " + reference);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev", "production", "last-state"})
  void asksOnlyServicesAndPortsThatAreThere(String name) throws IOException {
    Overlay overlay = overlay(name);
    Map<String, List<String>> addresses = overlay.addresses();
    assertTrue(addresses.containsKey("kafka:9092"), addresses.toString());
    addresses.forEach(
        (address, who) -> {
          ObjectNode service = overlay.get("Service", address.split(":")[0]);
          assertNotNull(service, who + " ask for " + address);
          assertTrue(
              Stream.of(service.at("/spec/ports"))
                  .flatMap(ports -> ports.findValues("port").stream())
                  .anyMatch(port -> port.asText().equals(address.split(":")[1])),
              who + " ask for " + address);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev", "production", "last-state"})
  void servesPortsThatPodsListenOn(String name) throws IOException {
    Overlay overlay = overlay(name);
    for (ObjectNode service : overlay.ofKind("Service")) {
      if (service.at("/spec/type").asText().equals("ExternalName")) {
        continue;
      }
      List<Pods> behind = overlay.matching(service.at("/spec/selector"));
      assertEquals(1, behind.size(), service.toString());
      for (JsonNode port : service.at("/spec/ports")) {
        assertNotNull(behind.get(0).port(port.path("targetPort")), service.toString());
        if (service.at("/spec/clusterIP").asText().equals("None")) {
          // Its clients reach the pods themselves.
          assertEquals(port.path("port").intValue(), behind.get(0).port(port.path("targetPort")));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev", "production", "last-state"})
  void letsInToPodsAndPortsThatAreThere(String name) throws IOException {
    Overlay overlay = overlay(name);
    for (ObjectNode policy : overlay.ofKind("NetworkPolicy")) {
      JsonNode selected = policy.at("/spec/podSelector/matchLabels");
      List<Pods> pods = overlay.matching(selected);
      assertFalse(pods.isEmpty(), policy.toString());
      for (JsonNode rule : policy.at("/spec/ingress")) {
        for (JsonNode port : rule.path("ports")) {
          if (port.path("port").isTextual()) {
            pods.forEach(
                pod -> assertNotNull(pod.port(port.path("port")), pod.owner() + ": " + port));
          }
        }
        for (JsonNode from : rule.path("from")) {
          JsonNode labels = from.at("/podSelector/matchLabels");
          assertTrue(
              labels.isMissingNode() || !overlay.matching(labels).isEmpty(), policy.toString());
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev", "production", "last-state"})
  void monitorsPodsAndPortsThatAreThere(String name) throws IOException {
    Overlay overlay = overlay(name);
    for (ObjectNode monitor : overlay.ofKind("PodMonitor")) {
      List<Pods> pods = overlay.matching(monitor.at("/spec/selector/matchLabels"));
      assertFalse(pods.isEmpty(), monitor.toString());
      for (JsonNode endpoint : monitor.at("/spec/podMetricsEndpoints")) {
        pods.forEach(pod -> assertNotNull(pod.port(endpoint.path("port")), monitor.toString()));
      }
    }
    for (ObjectNode monitor : overlay.ofKind("ServiceMonitor")) {
      Map<String, String> wanted = Pods.texts(monitor.at("/spec/selector/matchLabels"));
      List<ObjectNode> services =
          overlay.ofKind("Service").stream()
              .filter(
                  service ->
                      Pods.texts(service.at("/metadata/labels"))
                          .entrySet()
                          .containsAll(wanted.entrySet()))
              .toList();
      assertEquals(1, services.size(), monitor.toString());
      for (JsonNode endpoint : monitor.at("/spec/endpoints")) {
        assertTrue(
            services.get(0).at("/spec/ports").findValues("name").contains(endpoint.path("port")),
            monitor.toString());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev", "production", "last-state"})
  void scalesAndProtectsWhatIsThere(String name) throws IOException {
    Overlay overlay = overlay(name);
    for (ObjectNode budget : overlay.ofKind("PodDisruptionBudget")) {
      assertEquals(1, overlay.matching(budget.at("/spec/selector/matchLabels")).size());
    }
    for (ObjectNode scaler : overlay.ofKind("HorizontalPodAutoscaler")) {
      JsonNode target = scaler.at("/spec/scaleTargetRef");
      ObjectNode scaled = overlay.get(target.path("kind").asText(), target.path("name").asText());
      assertNotNull(scaled, target.toString());
      assertTrue(scaled.at("/spec/replicas").isMissingNode(), "replicas would be set back");
      assertTrue(
          scaled.at("/spec/template/spec/containers/0/resources/requests").has("cpu"),
          "utilization of what?");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev", "production", "last-state"})
  void ownsThePodsThatItMakes(String name) throws IOException {
    Overlay overlay = overlay(name);
    for (Pods pods : overlay.pods()) {
      ObjectNode owner = owner(overlay, pods);
      JsonNode selector = owner.at("/spec/selector/matchLabels");
      assertTrue(selector.isMissingNode() || pods.matches(selector), pods.owner());
      for (JsonNode spread : pods.spec().path("topologySpreadConstraints")) {
        assertTrue(pods.matches(spread.at("/labelSelector/matchLabels")), pods.owner());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev", "production", "last-state"})
  void probesDeclaredPortsAndMountsDeclaredVolumes(String name) throws IOException {
    Overlay overlay = overlay(name);
    for (Pods pods : overlay.pods()) {
      Set<JsonNode> volumes = new HashSet<>(pods.spec().path("volumes").findValues("name"));
      owner(overlay, pods)
          .at("/spec/volumeClaimTemplates")
          .forEach(claim -> volumes.add(claim.at("/metadata/name")));
      for (JsonNode container : pods.spec().path("containers")) {
        for (JsonNode mount : container.path("volumeMounts")) {
          assertTrue(volumes.contains(mount.path("name")), pods.owner() + ": " + mount);
        }
        // Flink's operator adds its own.
        if (pods.isTask() || pods.isFlink()) {
          continue;
        }
        for (String probe : List.of("startupProbe", "readinessProbe")) {
          JsonNode port = container.path(probe).findValue("port");
          assertNotNull(port, pods.owner() + " has no " + probe);
          assertNotNull(pods.port(port), pods.owner() + ": " + port);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev", "production", "last-state"})
  void runsNothingAsRootOrWithMoreRightsThanItNeeds(String name) throws IOException {
    for (Pods pods : overlay(name).pods()) {
      JsonNode security = pods.spec().path("securityContext");
      assertTrue(security.path("runAsNonRoot").asBoolean(), pods.owner());
      assertTrue(security.path("runAsUser").asInt() > 0, pods.owner());
      assertEquals("RuntimeDefault", security.at("/seccompProfile/type").asText(), pods.owner());
      for (JsonNode container : pods.spec().path("containers")) {
        JsonNode rights = container.path("securityContext");
        assertFalse(rights.path("allowPrivilegeEscalation").asBoolean(true), pods.owner());
        assertEquals("[\"ALL\"]", rights.at("/capabilities/drop").toString(), pods.owner());
        if (!pods.isFlink()) {
          assertFalse(pods.spec().path("automountServiceAccountToken").asBoolean(true));
          assertTrue(container.at("/resources/limits").has("memory"), pods.owner());
          assertTrue(container.at("/resources/requests").has("cpu"), pods.owner());
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev", "production", "last-state"})
  void usesTheImagesOfTheComposeFile(String name) throws IOException {
    Matcher pinned =
        Pattern.compile("(?m)^ +image: (\\S+)$")
            .matcher(Files.readString(ROOT.resolve("docker-compose.yml")));
    Map<String, String> tags = new TreeMap<>();
    while (pinned.find()) {
      String[] image = pinned.group(1).split(":");
      tags.put(image[0], image[1]);
    }
    Pattern version = Pattern.compile("v?\\d+\\.\\d+\\.\\d+");
    Overlay overlay = overlay(name);
    List<String> images = new ArrayList<>();
    overlay
        .pods()
        .forEach(pods -> pods.spec().findValues("image").forEach(i -> images.add(i.asText())));
    overlay
        .ofKind("FlinkDeployment")
        .forEach(flink -> images.add(flink.at("/spec/image").asText()));
    assertTrue(images.size() >= 6);
    for (String image : images) {
      String[] parts = image.split(":");
      assertTrue(version.matcher(parts[1]).matches(), image);
      assertTrue(tags.getOrDefault(parts[0], parts[1]).equals(parts[1]), image + " and " + tags);
    }
  }

  @Test
  void bringsEveryDashboard() throws IOException {
    Set<String> brought = new TreeSet<>();
    for (ObjectNode config : overlay("production").ofKind("ConfigMap")) {
      if (config.at("/metadata/labels/grafana_dashboard").asText().equals("1")) {
        config.path("data").fieldNames().forEachRemaining(brought::add);
        for (JsonNode dashboard : config.path("data")) {
          assertTrue(new ObjectMapper().readTree(dashboard.asText()).has("panels"));
        }
      }
    }
    try (Stream<Path> files = Files.list(ROOT.resolve("dashboards"))) {
      assertEquals(
          new TreeSet<>(
              files
                  .map(file -> file.getFileName().toString())
                  .filter(file -> file.endsWith(".json"))
                  .toList()),
          brought);
    }
  }
}
