package io.warmpath.jobs.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * docs/configuration.md is what the jobs' options say. With {@code -Dconfiguration.write=true} the
 * test writes the page in place of comparing it.
 */
class ConfigurationPageTest {

  private static final Path PAGE = Path.of("../docs/configuration.md");

  private static final String HEAD =
      """
      # Options of the jobs

      Made from the options themselves, see `ConfigurationPageTest`. Each is given as `--name value` or `--name=value`:
      `./warmpath job stats --bootstrap-servers kafka:9092`, or as program arguments of the jar on a Flink cluster. A wrong
      one ends the start with its name. Durations are like `500ms`, `10s`, `2m`.
      """;

  @Test
  void thePageIsWhatTheOptionsSay() throws IOException {
    String page = page();
    if (Boolean.getBoolean("configuration.write")) {
      Files.writeString(PAGE, page);
    }
    assertEquals(page, Files.readString(PAGE));
  }

  private static String page() {
    Map<String, List<Option>> jobs = new LinkedHashMap<>();
    jobs.put("stats", StatsJobConfig.OPTIONS);
    jobs.put("weights", WeightsJobConfig.OPTIONS);
    jobs.put("shadow", ShadowJobConfig.OPTIONS);
    StringBuilder page = new StringBuilder(HEAD);
    jobs.forEach(
        (job, options) -> {
          page.append("\n## `job ").append(job).append("`\n\n");
          page.append("| option | default | meaning |\n|---|---|---|\n");
          for (Option option : options) {
            page.append("| `--").append(option.name()).append("` | ");
            page.append(cell(option.defaultValue())).append(" | ");
            page.append(option.meaning().replace("|", "\\|")).append(" |\n");
          }
        });
    return page.toString();
  }

  private static String cell(String defaultValue) {
    if (defaultValue == null) {
      return "must be given";
    }
    return defaultValue.isEmpty() ? "none" : "`" + defaultValue + "`";
  }
}
