package io.warmpath.schemas.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** A configuration as it holds once all defaults are filled in, field by field. */
public final class Effective {

  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
          .build();

  private record Setting(String value, Field.Change change) {}

  private final ObjectNode tree;
  private final Map<String, Setting> settings = new LinkedHashMap<>();

  Effective(ObjectNode tree) {
    this.tree = tree;
  }

  ObjectNode tree() {
    return tree;
  }

  void note(String path, String value, Field.Change change) {
    settings.put(path, new Setting(value, change));
  }

  /** As a file that would be read to the same configuration, secrets masked. */
  public String toYaml() {
    try {
      return YAML.writeValueAsString(tree);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Paths of the fields that differ from another configuration and only count when the program is
   * started again.
   */
  public List<String> needingRestart(Effective other) {
    TreeSet<String> paths = new TreeSet<>();
    collectDifferences(this, other, paths);
    collectDifferences(other, this, paths);
    return List.copyOf(paths);
  }

  /** Whether all fields are the same in another configuration. */
  public boolean sameAs(Effective other) {
    return settings.equals(other.settings);
  }

  private static void collectDifferences(Effective one, Effective other, TreeSet<String> paths) {
    one.settings.forEach(
        (path, setting) -> {
          if (setting.change() == Field.Change.RESTART
              && !setting.equals(other.settings.get(path))) {
            paths.add(path);
          }
        });
  }

  /** Without the values: some are secrets. */
  @Override
  public String toString() {
    return "Effective" + settings.keySet();
  }
}
