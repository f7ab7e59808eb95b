package io.warmpath.console.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplicaMapTest {

  @TempDir private Path folder;

  private ReplicaMap load(ExportFormat format, String text) throws IOException {
    return ReplicaMap.load(Files.writeString(folder.resolve("map.yaml"), text), format);
  }

  @Test
  void namesOfAReplicaStandInForWhatItDoesNotSay() throws IOException {
    ReplicaMap map =
        load(
            ExportFormat.HAPROXY,
            """
            model: llama
            backend: llm
            replicas:
              - name: replica-0
              - {name: replica-1, backend: other, server: gpu7}
            """);

    assertEquals("llama", map.cluster());
    assertEquals("llm", map.replicas().get(0).backend());
    assertEquals("replica-0", map.replicas().get(0).server());
    assertEquals("other", map.replicas().get(1).backend());
    assertEquals("gpu7", map.replicas().get(1).server());
  }

  /** What is wrong is named with file, line and field; {@code ;} stands for a line's end. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ENVOY_EDS | replicas: [] | : model is missing",
        "ENVOY_EDS | model: m; | : replicas is missing or empty",
        "ENVOY_EDS | model: m;model: n | :2: Duplicate field 'model'",
        "ENVOY_EDS | model: m;colour: red;replicas:;- {name: a, host: 10.0.0.1, port: 1} | :2:"
            + " colour: Unrecognized field",
        "ENVOY_EDS | model: m;replicas:;- {name: a, port: 1} | :3: replicas[0]: host is missing",
        "ENVOY_EDS | model: m;replicas:;- {name: a, host: gpu-1, port: 1} | host must be an IP"
            + " address",
        "ENVOY_EDS | model: m;replicas:;- {name: a, host: 10.0.0.1} | :3: replicas[0]: port is"
            + " missing",
        "NGINX | model: m;replicas:;- {name: a, host: g, port: 70000} | port is not from 1 to"
            + " 65535",
        "NGINX | model: m;replicas:;- {name: a, host: g, port: x} | :3: replicas[0].port",
        "NGINX | model: m;replicas:;- {name: a, host: 'g{', port: 1} | host is no address",
        "NGINX | model: m;server_parameters: weight=2;replicas:;- {name: a, host: g, port: 1} |"
            + " must leave weight",
        "NGINX | model: m;server_parameters: 'a=1}';replicas:;- {name: a, host: g, port: 1} | not"
            + " nginx's",
        "HAPROXY | model: m;replicas:;- {name: a} | replicas[0].backend is missing",
        "HAPROXY | model: m;backend: b/c;replicas:;- {name: a} | backend is no name",
        "HAPROXY | model: m;backend: b;replicas:;- {name: 'a b'} | server is no name of HAProxy",
        "HAPROXY | model: m;backend: b;replicas:;- {name: a};- {name: a} | replicas has a twice",
        "GATEWAY_HTTPROUTE | model: m;replicas:;- {name: a} | route is missing"
      })
  void wrongFilesAreRefused(ExportFormat format, String text, String message) {
    String yaml = text.strip().replace(";", "\n") + "\n";
    IllegalArgumentException wrong =
        assertThrows(IllegalArgumentException.class, () -> load(format, yaml));
    assertTrue(wrong.getMessage().contains("map.yaml"), wrong::getMessage);
    assertTrue(wrong.getMessage().contains(message.strip()), wrong::getMessage);
  }
}
