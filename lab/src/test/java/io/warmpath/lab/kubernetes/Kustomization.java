package io.warmpath.lab.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.zjsonpatch.JsonPatch;
import io.warmpath.lab.compose.Yaml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Builds a folder as kustomize does, as far as deploy/kubernetes uses it; anything else is an
 * error. {@link KustomizeAgreementIT} compares it with kustomize itself where that is installed.
 */
final class Kustomization {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String FILE = "kustomization.yaml";
  private static final Set<String> KEYS =
      Set.of(
          "apiVersion",
          "kind",
          "namespace",
          "resources",
          "components",
          "configMapGenerator",
          "secretGenerator",
          "generatorOptions",
          "patches");

  /** What belongs to no namespace. */
  private static final Set<String> CLUSTER_WIDE = Set.of("Namespace");

  private final Path folder;
  private final Map<String, Object> file;

  private Kustomization(Path folder) throws IOException {
    this.folder = folder;
    this.file = Yaml.read(folder.resolve(FILE));
    require(KEYS.containsAll(file.keySet()), "keys that are not known here: " + file.keySet());
  }

  /** The objects that a folder stands for, in the order in which they are named. */
  static List<ObjectNode> build(Path folder) throws IOException {
    List<ObjectNode> objects = new ArrayList<>();
    Kustomization root = new Kustomization(folder.normalize());
    root.require(!root.file.get("kind").equals("Component"), "a component cannot stand alone");
    root.addTo(objects);
    return objects;
  }

  private void addTo(List<ObjectNode> objects) throws IOException {
    for (String resource : Yaml.texts(file.get("resources"))) {
      Path path = folder.resolve(resource).normalize();
      if (Files.isDirectory(path)) {
        add(objects, build(path));
      } else {
        for (Map<String, Object> document : Yaml.all(Files.readString(path))) {
          add(objects, List.of(MAPPER.valueToTree(document)));
        }
      }
    }
    for (String component : Yaml.texts(file.get("components"))) {
      Kustomization part = new Kustomization(folder.resolve(component).normalize());
      part.require("Component".equals(part.file.get("kind")), "must be a Component");
      part.addTo(objects);
    }
    generate(objects, "configMapGenerator", "ConfigMap");
    generate(objects, "secretGenerator", "Secret");
    for (Object patch : Yaml.list(file.get("patches"))) {
      apply(Yaml.map(patch), objects);
    }
    if (file.get("namespace") instanceof String namespace) {
      objects.stream()
          .filter(object -> !CLUSTER_WIDE.contains(object.path("kind").textValue()))
          .forEach(object -> ((ObjectNode) object.get("metadata")).put("namespace", namespace));
    }
  }

  private void add(List<ObjectNode> objects, List<ObjectNode> more) {
    for (ObjectNode object : more) {
      require(
          objects.stream().noneMatch(other -> id(other).equals(id(object))),
          id(object) + " is there twice");
      objects.add(object);
    }
  }

  private static String id(ObjectNode object) {
    return object.path("kind").asText() + "/" + object.at("/metadata/name").asText();
  }

  private void generate(List<ObjectNode> objects, String key, String kind) throws IOException {
    Map<String, Object> options = Yaml.map(file.get("generatorOptions"));
    for (Object entry : Yaml.list(file.get(key))) {
      Map<String, Object> generator = Yaml.map(entry);
      require(
          Set.of("name", "files", "literals").containsAll(generator.keySet()),
          key + ": " + generator.keySet());
      require(
          Set.of("disableNameSuffixHash", "labels").containsAll(options.keySet())
              && Boolean.TRUE.equals(options.get("disableNameSuffixHash")),
          key + " needs generatorOptions without hashes in names");
      ObjectNode object = MAPPER.createObjectNode().put("apiVersion", "v1").put("kind", kind);
      ObjectNode metadata =
          object.putObject("metadata").put("name", (String) generator.get("name"));
      if (options.containsKey("labels")) {
        metadata.set("labels", MAPPER.valueToTree(options.get("labels")));
      }
      ObjectNode data = object.putObject("data");
      for (String name : Yaml.texts(generator.get("files"))) {
        put(data, name, Files.readString(folder.resolve(name)), kind);
      }
      for (String literal : Yaml.texts(generator.get("literals"))) {
        String[] parts = literal.split("=", 2);
        put(data, parts[0], parts[1], kind);
      }
      if (kind.equals("Secret")) {
        object.put("type", "Opaque");
      }
      add(objects, List.of(object));
    }
  }

  private static void put(ObjectNode data, String name, String text, String kind) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    data.put(name, kind.equals("Secret") ? Base64.getEncoder().encodeToString(bytes) : text);
  }

  private void apply(Map<String, Object> patch, List<ObjectNode> objects) {
    require(patch.keySet().equals(Set.of("target", "patch")), "a patch has " + patch.keySet());
    Map<String, Object> target = Yaml.map(patch.get("target"));
    require(
        Set.of("kind", "name").containsAll(target.keySet()) && target.containsKey("kind"),
        "a target has " + target.keySet());
    JsonNode change = MAPPER.valueToTree(Yaml.parse((String) patch.get("patch")));
    boolean found = false;
    for (int i = 0; i < objects.size(); i++) {
      ObjectNode object = objects.get(i);
      String name = (String) target.getOrDefault("name", ".*");
      if (object.path("kind").asText().equals(target.get("kind"))
          && object.at("/metadata/name").asText().matches(name)) {
        found = true;
        if (change.isArray()) {
          objects.set(i, (ObjectNode) JsonPatch.apply(change, object));
        } else {
          merge(object, (ObjectNode) change);
        }
      }
    }
    require(found, "a patch meets nothing: " + target);
  }

  /** Strategic merges of lists go by keys that differ from type to type; none is needed. */
  private void merge(ObjectNode object, ObjectNode change) {
    change
        .properties()
        .forEach(
            field -> {
              JsonNode value = field.getValue();
              require(!value.isArray() && !value.isNull(), "no merge of " + field.getKey());
              if (value instanceof ObjectNode more
                  && object.get(field.getKey()) instanceof ObjectNode into) {
                merge(into, more);
              } else {
                object.set(field.getKey(), value);
              }
            });
  }

  private void require(boolean met, String message) {
    if (!met) {
      throw new IllegalArgumentException(folder + "/" + FILE + ": " + message);
    }
  }
}
