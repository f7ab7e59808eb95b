package io.warmpath.balancer;

import io.warmpath.balancer.fixture.DocsTable;
import io.warmpath.schemas.config.FieldTable;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * The table of docs/balancer.md is what the fields say. With {@code -Dconfiguration.write=true} the
 * test writes it in place of comparing it.
 */
class BalancerPageTest {

  @Test
  void thePageIsWhatTheFieldsSay() throws IOException {
    DocsTable.assertIsIn("balancer.md", FieldTable.HEADING, FieldTable.rows(ConfigFields.all()));
  }
}
