package io.warmpath.lab.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;

/**
 * A template of pods.
 *
 * @param owner kind and name of what makes them
 * @param labels their labels
 * @param spec their specification
 */
record Pods(String owner, Map<String, String> labels, JsonNode spec) {

  /** The template of an object that has one, or null. */
  static Pods of(ObjectNode object) {
    String kind = object.path("kind").asText();
    JsonNode template =
        switch (kind) {
          case "Deployment", "StatefulSet", "Job" -> object.at("/spec/template");
          case "FlinkDeployment" -> object.at("/spec/podTemplate");
          default -> null;
        };
    if (template == null) {
      return null;
    }
    return new Pods(
        kind + "/" + object.at("/metadata/name").asText(),
        texts(template.at("/metadata/labels")),
        template.path("spec"));
  }

  static Map<String, String> texts(JsonNode mapping) {
    Map<String, String> texts = new TreeMap<>();
    mapping.properties().forEach(field -> texts.put(field.getKey(), field.getValue().asText()));
    return texts;
  }

  boolean matches(JsonNode matchLabels) {
    return labels.entrySet().containsAll(texts(matchLabels).entrySet());
  }

  /** Number of a port that a container declares, by name or number; null if none does. */
  Integer port(JsonNode nameOrNumber) {
    for (JsonNode container : spec.path("containers")) {
      for (JsonNode port : container.path("ports")) {
        if (port.path("name").equals(nameOrNumber)
            || port.path("containerPort").equals(nameOrNumber)) {
          return port.path("containerPort").intValue();
        }
      }
    }
    return null;
  }

  boolean isFlink() {
    return owner.startsWith("FlinkDeployment/");
  }

  /** Whether it ends by itself. */
  boolean isTask() {
    return owner.startsWith("Job/");
  }
}
