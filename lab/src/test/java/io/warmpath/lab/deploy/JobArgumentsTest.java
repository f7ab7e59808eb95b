package io.warmpath.lab.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobArgumentsTest {

  private static JobArguments arguments(String line) {
    return JobArguments.parse(List.of(line.split(" ")));
  }

  @Test
  void aTrialIsTheSameWithASuffix() {
    assertEquals(
        List.of("--bootstrap-servers", "k:1", "--bound", "5s", "--output-suffix", ".trial"),
        arguments("--bootstrap-servers=k:1 --bound 5s").asTrial(".trial").list());
  }

  @Test
  void anEmptyBrokerNeedsNoneOfTheSecrets() {
    assertEquals(
        List.of("--bootstrap-servers", "here:1", "--parallelism", "1"),
        arguments("--bootstrap-servers k:1 --kafka.sasl.jaas.config secret --parallelism 4")
            .atEmptyBroker("here:1")
            .list());
  }

  @Test
  void theOldVersionKeepsItsOptionsAndTakesTheSecrets() {
    assertEquals(
        List.of("--bootstrap-servers", "k:1", "--bound", "2s", "--kafka.password", "new"),
        arguments("--bootstrap-servers k:1 --bound 2s")
            .withSecretsOf(arguments("--bootstrap-servers k:1 --bound 5s --kafka.password new"))
            .list());
  }

  @Test
  void clientsHereReachKafkaByTheJobsOwnOptions() {
    JobArguments arguments = arguments("--bootstrap-servers k:1 --kafka.security.protocol SSL");
    assertEquals(
        Map.of("bootstrap.servers", "k:1", "security.protocol", "SSL"), arguments.kafka(null));
    assertEquals("l:2", arguments.kafka("l:2").get("bootstrap.servers"));
    assertEquals("warmpath-routing-stats", arguments.group(DeployedJob.STATS));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--bound 2s | --bootstrap-servers: must be given",
        "stats | stats: not an option",
        "--bootstrap-servers | --bootstrap-servers: no value",
        "--bootstrap-servers k:1 --output-suffix .x | --output-suffix: is the deployment's own"
      })
  void whatIsWrongIsNamed(String line, String message) {
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> arguments(line));
    assertTrue(thrown.getMessage().startsWith(message), thrown.getMessage());
  }
}
