package io.warmpath.balancer;

import io.warmpath.balancer.config.Field;
import io.warmpath.balancer.fixture.DocsTable;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * The table of docs/balancer.md is what the fields say. With {@code -Dconfiguration.write=true} the
 * test writes it in place of comparing it.
 */
class BalancerPageTest {

  private static final String HEADING = "| field | type | default | live | meaning |\n";

  @Test
  void thePageIsWhatTheFieldsSay() throws IOException {
    DocsTable.assertIsIn("balancer.md", HEADING, table());
  }

  private static String table() {
    StringBuilder table = new StringBuilder("|---|---|---|---|---|\n");
    for (Field<?> field : ConfigFields.all()) {
      table.append("| `").append(field.path()).append("` | ").append(type(field)).append(" | ");
      table.append(otherwise(field)).append(" | ");
      table.append(field.change() == Field.Change.LIVE ? "yes" : "").append(" | ");
      table.append(field.meaning().replace("|", "\\|")).append(" |\n");
    }
    return table.toString();
  }

  private static String type(Field<?> field) {
    String range = field.type().range();
    return range.isEmpty() ? field.type().name() : field.type().name() + ", " + range;
  }

  private static <T> String otherwise(Field<T> field) {
    if (field.presence() == Field.Presence.REQUIRED) {
      return "must be given";
    }
    return field.otherwise() == null ? "none" : "`" + field.type().text(field.otherwise()) + "`";
  }
}
