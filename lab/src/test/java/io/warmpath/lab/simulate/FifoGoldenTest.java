package io.warmpath.lab.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.lab.trace.Trace;
import io.warmpath.lab.trace.TraceReader;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A small trace of our own with sessions, and what the reference model gives for it: written down
 * once, so that a checkout without recorded traces holds the engine to it too.
 */
class FifoGoldenTest {

  static Stream<JsonNode> expected() throws IOException, URISyntaxException {
    JsonNode runs = new ObjectMapper().readTree(resource("conversations.expected.json").toFile());
    return StreamSupport.stream(runs.spliterator(), false);
  }

  private static Path resource(String name) throws URISyntaxException {
    return Path.of(FifoGoldenTest.class.getResource("/traces/" + name).toURI());
  }

  @ParameterizedTest
  @MethodSource("expected")
  void equalsTheReferenceModelToTheInteger(JsonNode expected)
      throws IOException, URISyntaxException {
    Trace trace = TraceReader.read(resource("conversations.jsonl"));
    int replicas = expected.get("replicas").intValue();
    int capacity = expected.get("capacity_blocks").intValue();

    SimulationRun run =
        FifoSimulation.run(
            trace, FleetOptions.of(replicas, capacity), expected.get("policy").textValue());

    assertEquals(expected.get("policy").textValue(), run.policy());
    assertEquals(expected.get("input_tokens").longValue(), run.inputTokens());
    assertEquals(expected.get("hit_tokens").longValue(), run.hitTokens());
    assertEquals(expected.get("hit_blocks").longValue(), run.hitBlocks());
    assertEquals(expected.get("blocks").longValue(), run.blocks());
    assertEquals(expected.get("ttft_p50_us").longValue(), run.ttftUs().p50());
    assertEquals(expected.get("ttft_p99_us").longValue(), run.ttftUs().p99());
    // The reference rounds its mean to a hundredth of a millisecond.
    assertEquals(expected.get("ttft_mean_ms").doubleValue(), run.ttftUs().mean() / 1000, 0.0051);
    List<Long> byReplica = new ArrayList<>();
    expected.get("requests_by_replica").forEach(n -> byReplica.add(n.longValue()));
    assertEquals(byReplica, run.requestsByReplica());
  }
}
