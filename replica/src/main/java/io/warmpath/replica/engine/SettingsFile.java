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

/**
 * Reads settings of one kind, from a built-in file or one of the user's: JSON in which every field
 * must be there, and none beside.
 *
 * @param <T> a record that checks itself
 */
public final class SettingsFile<T> {

  private final String kind;
  private final String folder;
  private final List<String> builtIn;
  private final ObjectReader reader;

  /**
   * @param type the record; its components are the fields, in snake case
   * @param kind what such a file describes, for errors
   * @param folder resources that hold the built-in ones, with a slash at both ends
   * @param builtIn their names
   */
  public SettingsFile(Class<T> type, String kind, String folder, List<String> builtIn) {
    this.kind = kind;
    this.folder = folder;
    this.builtIn = builtIn;
    reader =
        JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .build()
            .readerFor(type);
  }

  /**
   * Settings by the name of a built-in file, or by the path of a JSON file (anything with a {@code
   * /} or the ending {@code .json}).
   *
   * @throws IllegalArgumentException if there is none (the message lists the built-in names), or if
   *     a field is wrong (the message names file and field)
   */
  public T load(String nameOrPath) {
    if (nameOrPath.contains("/") || nameOrPath.endsWith(".json")) {
      return parse(nameOrPath, fileBytes(Path.of(nameOrPath)));
    }
    if (!builtIn.contains(nameOrPath)) {
      throw new IllegalArgumentException(
          "no "
              + kind
              + " '"
              + nameOrPath
              + "': neither the path of a .json file nor one of "
              + String.join(", ", builtIn));
    }
    String resource = folder + nameOrPath + ".json";
    return parse(resource, resourceBytes(resource));
  }

  private T parse(String file, byte[] json) {
    try {
      return reader.readValue(json);
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

  private byte[] fileBytes(Path path) {
    try {
      return Files.readAllBytes(path);
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read the " + kind + " " + path + ": " + e, e);
    }
  }

  private static byte[] resourceBytes(String resource) {
    try (InputStream in = SettingsFile.class.getResourceAsStream(resource)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + resource, e);
    }
  }
}
