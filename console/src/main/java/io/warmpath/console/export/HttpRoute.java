package io.warmpath.console.export;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * An {@code HTTPRoute} as it was written by hand, with other weights: in each rule, the {@code
 * backendRefs} that are services of replicas get theirs. All else of the route stays.
 */
final class HttpRoute implements Function<RouterWeights, String> {

  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
          .build();

  private final ObjectNode route;

  private HttpRoute(ObjectNode route) {
    this.route = route;
  }

  /**
   * Reads the route.
   *
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if it is none, or a replica's service is in none of its rules
   */
  static HttpRoute load(ReplicaMap map) throws IOException {
    Path file = map.route();
    List<JsonNode> documents = new ArrayList<>();
    try (MappingIterator<JsonNode> read =
        YAML.readerFor(JsonNode.class).readValues(Files.readString(file))) {
      read.forEachRemaining(documents::add);
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      throw new IllegalArgumentException(file + ":" + line + ": " + e.getOriginalMessage(), e);
    }
    if (documents.size() != 1
        || !(documents.get(0) instanceof ObjectNode route)
        || !route.path("kind").asText().equals("HTTPRoute")) {
      throw new IllegalArgumentException(file + ": must be one document of kind HTTPRoute");
    }
    for (MappedReplica replica : map.replicas()) {
      if (backends(route).stream().noneMatch(backend -> isOf(backend, replica))) {
        throw new IllegalArgumentException(
            file + ": no backendRefs of spec.rules name the service " + replica.service());
      }
    }
    return new HttpRoute(route);
  }

  @Override
  public String apply(RouterWeights weights) {
    ObjectNode changed = route.deepCopy();
    for (ObjectNode backend : backends(changed)) {
      weights.replicas().stream()
          .filter(one -> isOf(backend, one.replica()))
          .forEach(one -> backend.put("weight", one.weight()));
    }
    try {
      return YAML.writeValueAsString(changed);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write the route", e);
    }
  }

  private static List<ObjectNode> backends(ObjectNode route) {
    List<ObjectNode> all = new ArrayList<>();
    for (JsonNode rule : route.at("/spec/rules")) {
      for (JsonNode backend : rule.path("backendRefs")) {
        if (backend instanceof ObjectNode object) {
          all.add(object);
        }
      }
    }
    return all;
  }

  private static boolean isOf(ObjectNode backend, MappedReplica replica) {
    return backend.path("kind").asText("Service").equals("Service")
        && backend.path("name").asText().equals(replica.service())
        && (replica.port() == 0 || backend.path("port").asInt() == replica.port());
  }
}
