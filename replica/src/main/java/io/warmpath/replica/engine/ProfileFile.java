package io.warmpath.replica.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Reads profiles. */
final class ProfileFile {

  /** The built-in profiles, each a resource {@code /profiles/NAME.json}. */
  static final List<String> BUILT_IN =
      List.of(
          "founding",
          "llama-3.1-8b-a100",
          "llama-3.1-8b-h100",
          "llama-3.3-70b-4xh100",
          "llama-3.3-70b-8xh100",
          "opt-13b-a100");

  private static final ObjectReader READER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .build()
          .readerFor(EngineProfile.class);

  private ProfileFile() {}

  static EngineProfile load(String nameOrPath) {
    if (nameOrPath.contains("/") || nameOrPath.endsWith(".json")) {
      return parse(nameOrPath, fileBytes(Path.of(nameOrPath)));
    }
    if (!BUILT_IN.contains(nameOrPath)) {
      throw new IllegalArgumentException(
          "no profile '"
              + nameOrPath
              + "': neither the path of a .json file nor one of "
              + String.join(", ", BUILT_IN));
    }
    String resource = "/profiles/" + nameOrPath + ".json";
    return parse(resource, resourceBytes(resource));
  }

  private static EngineProfile parse(String file, byte[] json) {
    try {
      return READER.readValue(json);
    } catch (ValueInstantiationException e) {
      throw new IllegalArgumentException(file + ": " + e.getCause().getMessage(), e);
    } catch (JsonMappingException e) {
      throw new IllegalArgumentException(file + ": " + field(e) + e.getOriginalMessage(), e);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(file + ": not JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private static String field(JsonMappingException e) {
    String path =
        e.getPath().stream()
            .map(JsonMappingException.Reference::getFieldName)
            .collect(Collectors.joining("."));
    return path.isEmpty() ? "" : path + ": ";
  }

  private static byte[] fileBytes(Path path) {
    try {
      return Files.readAllBytes(path);
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read the profile " + path + ": " + e, e);
    }
  }

  private static byte[] resourceBytes(String resource) {
    try (InputStream in = ProfileFile.class.getResourceAsStream(resource)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + resource, e);
    }
  }
}
