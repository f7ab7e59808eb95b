package io.warmpath.console.export;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.InjectableValues;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which replica of a model is where in a router: the file of {@code --map}.
 *
 * @param model whose weights are exported
 * @param cluster Envoy's cluster; the model by default
 * @param backend HAProxy's backend of replicas that name none
 * @param serverParameters nginx's parameters of each {@code server}, such as {@code max_fails=2};
 *     empty for none
 * @param route the HTTPRoute as it is written by hand, relative to the map; null for none
 * @param replicas its replicas
 */
public record ReplicaMap(
    String model,
    String cluster,
    String backend,
    String serverParameters,
    Path route,
    List<MappedReplica> replicas) {

  private static final int MAX_REPLICAS = 10_000;
  private static final long MAX_BYTES = 4 << 20;
  private static final Pattern PARAMETERS =
      Pattern.compile("([a-z_]+(=[A-Za-z0-9_.:-]+)?( [a-z_]+(=[A-Za-z0-9_.:-]+)?)*)?");
  private static final Pattern OURS = Pattern.compile("(^| )(weight=|down( |$))");

  @JsonCreator
  static ReplicaMap read(
      @JsonProperty("model") String model,
      @JsonProperty("cluster") String cluster,
      @JsonProperty("backend") String backend,
      @JsonProperty("server_parameters") String serverParameters,
      @JsonProperty("route") Path route,
      @JsonProperty("replicas") List<MappedReplica> replicas) {
    require(model != null && !model.isBlank(), "model is missing");
    require(replicas != null && !replicas.isEmpty(), "replicas is missing or empty");
    require(replicas.size() <= MAX_REPLICAS, "replicas are more than " + MAX_REPLICAS);
    require(
        backend == null || MappedReplica.NAME.matcher(backend).matches(),
        "backend is no name: " + backend);
    String parameters = serverParameters == null ? "" : serverParameters.strip();
    require(
        PARAMETERS.matcher(parameters).matches(),
        "server_parameters are not nginx's: " + parameters);
    require(
        !OURS.matcher(parameters).find(),
        "server_parameters must leave weight and down to the export: " + parameters);
    Set<String> names = new HashSet<>();
    for (MappedReplica replica : replicas) {
      require(names.add(replica.name()), "replicas has " + replica.name() + " twice");
    }
    return new ReplicaMap(
        model,
        cluster == null ? model : cluster,
        backend,
        parameters,
        route,
        List.copyOf(replicas));
  }

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if it is wrong, with file, line and field
   */
  public static ReplicaMap load(Path file, ExportFormat format) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      throw new IllegalArgumentException(file + ": larger than 4 MiB");
    }
    YAMLMapper yaml =
        YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .injectableValues(new InjectableValues.Std().addValue(ExportFormat.class, format))
            .build();
    String text = Files.readString(file);
    ReplicaMap map;
    try {
      map = yaml.readValue(text, ReplicaMap.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(file + ":" + line(yaml, text, e) + ": " + said(e), e);
    }
    if (map == null) {
      throw new IllegalArgumentException(file + ": is empty");
    }
    return map.resolved(file, format);
  }

  /** The same with the route's whole path, and with the backend in each replica. */
  private ReplicaMap resolved(Path file, ExportFormat format) {
    if (format == ExportFormat.GATEWAY_HTTPROUTE && route == null) {
      throw new IllegalArgumentException(file + ": route is missing; " + format + " needs it");
    }
    for (int i = 0; format == ExportFormat.HAPROXY && i < replicas.size(); i++) {
      if (backend == null && replicas.get(i).backend() == null) {
        throw new IllegalArgumentException(
            file + ": replicas[" + i + "].backend is missing, here and for the whole file");
      }
    }
    return new ReplicaMap(
        model,
        cluster,
        backend,
        serverParameters,
        route == null ? null : file.toAbsolutePath().resolveSibling(route).normalize(),
        replicas.stream().map(this::withBackend).toList());
  }

  private MappedReplica withBackend(MappedReplica one) {
    return one.backend() != null
        ? one
        : new MappedReplica(
            one.name(), one.host(), one.port(), backend, one.server(), one.service());
  }

  /**
   * Line of the field that is wrong. Where the failure itself was noticed may be lines below: at
   * the end of the object that the field is in.
   */
  private static int line(YAMLMapper yaml, String text, JsonProcessingException failure)
      throws IOException {
    if (failure instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()) {
      String field = pointer(mapping);
      try (JsonParser parser = yaml.createParser(text)) {
        while (parser.nextToken() != null) {
          if (parser.getParsingContext().pathAsPointer().toString().equals(field)) {
            return parser.currentTokenLocation().getLineNr();
          }
        }
      }
    }
    JsonLocation place = failure.getLocation();
    return place == null ? 1 : Math.max(1, place.getLineNr());
  }

  private static String pointer(JsonMappingException failure) {
    StringBuilder pointer = new StringBuilder();
    for (JsonMappingException.Reference step : failure.getPath()) {
      pointer.append('/');
      pointer.append(step.getFieldName() == null ? step.getIndex() : step.getFieldName());
    }
    return pointer.toString();
  }

  /** {@code FIELD: what is wrong}. */
  private static String said(JsonProcessingException failure) {
    StringBuilder text = new StringBuilder();
    if (failure instanceof JsonMappingException mapping) {
      for (JsonMappingException.Reference step : mapping.getPath()) {
        if (step.getFieldName() == null) {
          text.append('[').append(step.getIndex()).append(']');
        } else {
          text.append(text.isEmpty() ? "" : ".").append(step.getFieldName());
        }
      }
      text.append(text.isEmpty() ? "" : ": ");
    }
    boolean ours = failure instanceof ValueInstantiationException && failure.getCause() != null;
    return text.append(ours ? failure.getCause().getMessage() : failure.getOriginalMessage())
        .toString();
  }

  private static void require(boolean met, String message) {
    if (!met) {
      throw new IllegalArgumentException(message);
    }
  }
}
