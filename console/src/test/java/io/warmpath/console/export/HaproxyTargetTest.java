package io.warmpath.console.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HaproxyTargetTest {

  @Test
  void readsWeightsByTheNamesOfTheColumns() throws IOException {
    assertEquals(
        Map.of("be/gpu-1", 7, "be/gpu-2", 256),
        HaproxyTarget.state(
            """
            1
            # be_id be_name srv_id srv_name srv_addr srv_op_state srv_admin_state srv_uweight
            3 be 1 gpu-1 127.0.0.1 2 0 7
            3 be 2 gpu-2 127.0.0.1 2 0 256

            """));
  }

  @Test
  void anythingElseIsAnErrorInHaproxysWords() {
    IOException wrong =
        assertThrows(IOException.class, () -> HaproxyTarget.state("Can't find backend.\n\n"));
    assertEquals("HAProxy says: Can't find backend.", wrong.getMessage());
    assertThrows(IOException.class, () -> HaproxyTarget.state("1\n# be_name srv_name\nbe gpu\n"));
  }

  @Test
  void asksForEachServer(@TempDir Path folder) throws IOException {
    ReplicaMap map = SampleMap.of(folder, ExportFormat.HAPROXY, "backend: be\n");
    RouterTarget target = RouterTargets.haproxy(HaproxySocket.parse("/nowhere/admin.sock"));
    RouterWeights weights = SampleMap.weights(map, target.scale(), 1.3, 1, 0.7);

    assertEquals(
        """
        set server be/replica-0 weight 166
        set server be/replica-1 weight 128
        set server be/replica-2 weight 90
        set server be/replica-3 weight 0
        """,
        target.render(weights));
    IOException away = assertThrows(IOException.class, () -> target.apply(weights, 0));
    assertTrue(away.getMessage().startsWith("HAProxy at /nowhere/admin.sock: "), away::getMessage);
  }
}
