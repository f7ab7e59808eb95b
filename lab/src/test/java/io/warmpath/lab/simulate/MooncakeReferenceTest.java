package io.warmpath.lab.simulate;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.lab.SharedData;
import io.warmpath.lab.trace.Trace;
import io.warmpath.lab.trace.TraceReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Every run of the published table over the Mooncake conversation trace, figure by figure. */
class MooncakeReferenceTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void all90RunsEqualTheReferenceModel() throws IOException {
    Optional<Path> folder = SharedData.folder("mooncake");
    assumeTrue(folder.isPresent(), "no ../shared/data/mooncake beside this checkout");
    JsonNode table =
        new ObjectMapper().readTree(folder.get().resolve("reference_values.json").toFile());
    Assertions.assertTimeout(LIMIT, () -> compare(folder.get(), table.get("simulation")));
  }

  private static void compare(Path folder, JsonNode expected) throws IOException {
    assertEquals(90, expected.size());
    Trace trace = TraceReader.read(folder.resolve("conversation_trace.jsonl.gz"));
    List<Executable> comparisons =
        StreamSupport.stream(expected.spliterator(), true)
            .<Executable>map(row -> comparison(row, run(trace, row)))
            .toList();
    assertAll(comparisons);
  }

  private static SimulationRun run(Trace trace, JsonNode row) {
    String policy = row.get("policy").asText().replaceFirst("^blend\\((.*)\\)$", "blend:$1");
    return FifoSimulation.run(
        trace, FleetOptions.of(row.get("N").asInt(), row.get("C").asInt()), policy);
  }

  private static Executable comparison(JsonNode row, SimulationRun run) {
    String name = "%s N=%s C=%s".formatted(row.get("policy").asText(), row.get("N"), row.get("C"));
    return () ->
        assertAll(
            name,
            () -> assertEquals(row.get("hit_tokens").asLong(), run.hitTokens()),
            () -> assertEquals(row.get("input_tokens").asLong(), run.inputTokens()),
            () -> assertEquals(row.get("hit_blocks").asLong(), run.hitBlocks()),
            () -> assertEquals(row.get("blocks").asLong(), run.blocks()),
            () ->
                assertEquals(row.get("ttft_mean_ms").asDouble(), milliseconds(run.ttftUs().mean())),
            () -> assertEquals(row.get("ttft_p50_ms").asDouble(), run.ttftUs().p50() / 1e3),
            () -> assertEquals(row.get("ttft_p99_ms").asDouble(), run.ttftUs().p99() / 1e3),
            () -> assertEquals(longs(row.get("per_replica")), run.requestsByReplica()));
  }

  /** The table's rounding: two decimals of the exact value, ties to even. */
  private static double milliseconds(double micros) {
    return new BigDecimal(micros / 1_000).setScale(2, RoundingMode.HALF_EVEN).doubleValue();
  }

  private static List<Long> longs(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asLong).toList();
  }
}
