package io.warmpath.lab.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an overlay builds, and who in it refers to whom. */
final class Overlay {

  private static final Pattern ADDRESS = Pattern.compile("([a-z][a-z0-9-]*):(\\d{2,5})\\b");

  private final List<ObjectNode> objects;

  private Overlay(List<ObjectNode> objects) {
    this.objects = objects;
  }

  static Overlay build(Path folder) throws IOException {
    return new Overlay(Kustomization.build(folder));
  }

  List<ObjectNode> objects() {
    return objects;
  }

  List<ObjectNode> ofKind(String kind) {
    return objects.stream().filter(object -> object.path("kind").asText().equals(kind)).toList();
  }

  /** An object, or null. */
  ObjectNode get(String kind, String name) {
    return ofKind(kind).stream()
        .filter(object -> object.at("/metadata/name").asText().equals(name))
        .findFirst()
        .orElse(null);
  }

  List<Pods> pods() {
    return objects.stream().map(Pods::of).filter(Objects::nonNull).toList();
  }

  List<Pods> matching(JsonNode matchLabels) {
    return pods().stream().filter(pods -> pods.matches(matchLabels)).toList();
  }

  /** Objects that pods refer to, as KIND/NAME, with who does. */
  Map<String, List<String>> references() {
    Map<String, List<String>> references = new TreeMap<>();
    for (Pods pods : pods()) {
      collect(references, pods.owner(), pods.spec());
    }
    for (ObjectNode flink : ofKind("FlinkDeployment")) {
      add(
          references,
          "ServiceAccount",
          flink.at("/spec/serviceAccount"),
          "FlinkDeployment/" + flink.at("/metadata/name").asText());
    }
    return references;
  }

  private static void collect(Map<String, List<String>> references, String who, JsonNode node) {
    add(references, "ConfigMap", node.at("/configMap/name"), who);
    add(references, "Secret", node.at("/secret/secretName"), who);
    add(references, "Secret", node.at("/secretKeyRef/name"), who);
    add(references, "ConfigMap", node.at("/configMapKeyRef/name"), who);
    add(references, "PersistentVolumeClaim", node.at("/persistentVolumeClaim/claimName"), who);
    add(references, "ServiceAccount", node.at("/serviceAccountName"), who);
    node.forEach(child -> collect(references, who, child));
  }

  private static void add(
      Map<String, List<String>> references, String kind, JsonNode name, String who) {
    if (name.isTextual()) {
      references.computeIfAbsent(kind + "/" + name.textValue(), key -> new ArrayList<>()).add(who);
    }
  }

  /** Host and port of everything that is asked for, with who asks. */
  Map<String, List<String>> addresses() {
    Map<String, List<String>> addresses = new TreeMap<>();
    for (Pods pods : pods()) {
      for (JsonNode container : pods.spec().path("containers")) {
        container.path("args").forEach(text -> find(addresses, pods.owner(), text.asText()));
        container
            .path("env")
            .forEach(one -> find(addresses, pods.owner(), one.path("value").asText()));
      }
    }
    for (ObjectNode flink : ofKind("FlinkDeployment")) {
      flink
          .at("/spec/job/args")
          .forEach(text -> find(addresses, flink.at("/metadata/name").asText(), text.asText()));
    }
    for (ObjectNode config : ofKind("ConfigMap")) {
      String name = config.at("/metadata/name").asText();
      if (!name.startsWith("dashboard-")) {
        config.path("data").forEach(text -> find(addresses, name, text.asText()));
      }
    }
    return addresses;
  }

  private static void find(Map<String, List<String>> addresses, String who, String text) {
    Matcher address = ADDRESS.matcher(text);
    while (address.find()) {
      addresses.computeIfAbsent(address.group(), key -> new ArrayList<>()).add(who);
    }
  }
}
