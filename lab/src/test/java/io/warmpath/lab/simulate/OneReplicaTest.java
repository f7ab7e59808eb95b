package io.warmpath.lab.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.lab.founding.FoundingSimulation;
import io.warmpath.lab.founding.FoundingWorkload;
import io.warmpath.lab.trace.Trace;
import io.warmpath.lab.trace.TraceReader;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.routing.policy.Policies;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With one replica there is nothing to route: every policy must measure the same. */
class OneReplicaTest {

  private static final FleetOptions ONE = FleetOptions.of(1, 40);
  private static final String BASELINE = "round_robin";

  static Stream<String> policies() {
    return Policies.names().stream().map(name -> name.replace("blend:W", "blend:0.75"));
  }

  private static Trace trace() throws IOException, URISyntaxException {
    return TraceReader.read(
        Path.of(OneReplicaTest.class.getResource("/traces/conversations.jsonl").toURI()));
  }

  private static void assertSame(SimulationRun expected, SimulationRun actual) {
    assertTrue(actual.hitTokens() > 0 && actual.hitTokens() < actual.inputTokens());
    assertEquals(expected.hitTokens(), actual.hitTokens());
    assertEquals(expected.hitBlocks(), actual.hitBlocks());
    assertEquals(expected.ttftUs(), actual.ttftUs());
  }

  @ParameterizedTest
  @MethodSource("policies")
  void fifoGivesTheSameHitsAndTimes(String policy) throws IOException, URISyntaxException {
    assertSame(
        FifoSimulation.run(trace(), ONE, BASELINE), FifoSimulation.run(trace(), ONE, policy));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void batchedGivesTheSameHitsAndTimes(String policy) throws IOException, URISyntaxException {
    EngineProfile profile = EngineProfile.load("llama-3.1-8b-h100");

    assertSame(
        BatchedSimulation.run(trace(), ONE, profile, BASELINE),
        BatchedSimulation.run(trace(), ONE, profile, policy));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void theFoundingExperimentGivesTheSameRequests(String policy) {
    FoundingWorkload workload = FoundingWorkload.generate(1);
    EngineProfile profile = EngineProfile.load("founding");
    FleetOptions one = FleetOptions.of(1, 0);

    assertEquals(
        FoundingSimulation.run(workload, profile, one, BASELINE),
        FoundingSimulation.run(workload, profile, one, policy));
  }
}
