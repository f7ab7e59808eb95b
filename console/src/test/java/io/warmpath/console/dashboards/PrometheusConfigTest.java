package io.warmpath.console.dashboards;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class PrometheusConfigTest {

  private static final Path PROMTOOL = Path.of("/usr/bin/promtool");
  private static final Path CONFIG = Path.of("..", "dashboards", "prometheus.yml");

  @Test
  void passesPromtool() throws Exception {
    Assumptions.assumeTrue(Files.isExecutable(PROMTOOL), "promtool is not installed");

    Process promtool =
        new ProcessBuilder(PROMTOOL.toString(), "check", "config", CONFIG.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertEquals(0, promtool.waitFor(), output);
  }
}
