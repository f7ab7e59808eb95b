package io.warmpath.lab.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.lab.ProgramRun;
import io.warmpath.lab.SharedData;
import io.warmpath.lab.compose.Yaml;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link Kustomization} builds is what kustomize itself builds, inside kubectl. */
class KustomizeAgreementIT {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @ParameterizedTest
  @ValueSource(strings = {"dev", "production", "last-state"})
  void buildsTheSame(String overlay) throws Exception {
    Path folder = SharedData.projectRoot().resolve("deploy/kubernetes/overlays").resolve(overlay);
    Assumptions.assumeTrue(
        ProgramRun.works("kubectl", "kustomize", "--help"), "kubectl is not installed");
    ProgramRun built = ProgramRun.of(folder, PATIENCE, "kubectl", "kustomize", ".");
    assertEquals(0, built.exitCode(), built.output());

    Map<String, JsonNode> theirs = new TreeMap<>();
    Yaml.all(built.output()).forEach(object -> put(theirs, MAPPER.valueToTree(object)));
    Map<String, JsonNode> ours = new TreeMap<>();
    Kustomization.build(folder).forEach(object -> put(ours, object));
    assertEquals(theirs.keySet(), ours.keySet());
    theirs.forEach((id, object) -> assertEquals(object, ours.get(id), id));
  }

  private static void put(Map<String, JsonNode> objects, JsonNode object) {
    objects.put(object.path("kind").asText() + "/" + object.at("/metadata/name").asText(), object);
  }
}
