package io.warmpath.lab.compose;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads YAML strictly: no key twice, and only the shapes that are asked for. */
public final class Yaml {

  private Yaml() {}

  /** A file's outermost mapping. */
  public static Map<String, Object> read(Path file) throws IOException {
    LoaderOptions strict = new LoaderOptions();
    strict.setAllowDuplicateKeys(false);
    return map(
        new org.yaml.snakeyaml.Yaml(new SafeConstructor(strict)).load(Files.readString(file)));
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
