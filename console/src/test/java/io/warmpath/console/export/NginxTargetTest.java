package io.warmpath.console.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a script in place of nginx, which notes how it was called. */
class NginxTargetTest {

  private static final Duration INTERVAL = Duration.ofSeconds(10);

  @TempDir private Path folder;
  private Path calls;
  private ReplicaMap map;

  @BeforeEach
  void prepare() throws IOException {
    calls = Files.createFile(folder.resolve("calls"));
    map = SampleMap.of(folder, ExportFormat.NGINX, "server_parameters: max_fails=2\n");
  }

  private RouterTarget nginx(String script) throws IOException {
    Path program = Files.writeString(folder.resolve("nginx.sh"), script);
    ReloadCommand reload = new ReloadCommand(List.of("sh", program.toString(), calls.toString()));
    return RouterTargets.nginx(map, folder.resolve("replicas.inc"), reload, INTERVAL);
  }

  private RouterWeights weights(double... weights) {
    return SampleMap.weights(map, WeightScale.THOUSANDTHS, weights);
  }

  @Test
  void writesServersAndKeepsADrainedOneAsDown() throws IOException {
    assertEquals(
        """
        # Written by warmpath export for warmpath-demo; changes here are lost.
        server 10.0.0.1:8000 weight=1284 max_fails=2;
        server 10.0.0.2:8000 weight=1000 max_fails=2;
        server 10.0.0.3:8000 weight=716 max_fails=2;
        server 10.0.0.4:8000 weight=1 max_fails=2 down;
        """,
        nginx("").render(weights(1.284, 1, 0.716)));
  }

  @Test
  void testsBeforeItReloads() throws IOException {
    assertTrue(nginx("echo $2 $3 >> $1").apply(weights(1.3, 1, 0.7, 1), 0));
    assertEquals(List.of("-t -q", "-s reload"), Files.readAllLines(calls));
  }

  @Test
  void reloadsAreAnIntervalApart() throws IOException {
    RouterTarget nginx = nginx("echo $2 $3 >> $1");
    assertTrue(nginx.apply(weights(1.3, 1, 0.7, 1), 1_000));
    assertFalse(nginx.apply(weights(1.2, 1, 0.8, 1), 10_999));
    assertEquals(2, Files.readAllLines(calls).size());
    assertTrue(nginx.apply(weights(1.2, 1, 0.8, 1), 11_000));
    assertEquals(4, Files.readAllLines(calls).size());
  }

  @Test
  void whatNginxRefusesIsNotReloaded() throws IOException {
    RouterTarget nginx = nginx("echo $2 $3 >> $1; echo host not found; exit 1");
    IOException refused =
        assertThrows(IOException.class, () -> nginx.apply(weights(1.3, 1, 0.7, 1), 0));
    assertTrue(refused.getMessage().endsWith("host not found"), refused::getMessage);
    assertEquals(List.of("-t -q"), Files.readAllLines(calls));
  }
}
