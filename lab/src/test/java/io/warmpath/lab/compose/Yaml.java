package io.warmpath.lab.compose;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads YAML strictly: no key twice, and only the shapes that are asked for. */
public final class Yaml {

  private Yaml() {}

  /** A file's outermost mapping. */
  public static Map<String, Object> read(Path file) throws IOException {
    return map(strict().load(Files.readString(file)));
  }

  /** What a text says, whatever its shape. */
  public static Object parse(String text) {
    return strict().load(text);
  }

  /** The outermost mappings of all documents in a text. */
  public static List<Map<String, Object>> all(String text) {
    List<Map<String, Object>> documents = new ArrayList<>();
    strict().loadAll(text).forEach(document -> documents.add(map(document)));
    return documents;
  }

  private static org.yaml.snakeyaml.Yaml strict() {
    LoaderOptions strict = new LoaderOptions();
    strict.setAllowDuplicateKeys(false);
    // docker-compose.yml repeats itself by aliases.
    strict.setMaxAliasesForCollections(200);
    return new org.yaml.snakeyaml.Yaml(new SafeConstructor(strict));
  }

  /** A mapping; empty where there is none. */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> map(Object node) {
    return node == null ? Map.of() : (Map<String, Object>) node;
  }

  /** A sequence; empty where there is none. */
  @SuppressWarnings("unchecked")
  public static List<Object> list(Object node) {
    return node == null ? List.of() : (List<Object>) node;
  }

  /** A sequence of texts; empty where there is none. */
  public static List<String> texts(Object node) {
    return list(node).stream().map(String.class::cast).toList();
  }
}
