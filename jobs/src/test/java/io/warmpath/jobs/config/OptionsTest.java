package io.warmpath.jobs.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {

  @Test
  void readsValuesAfterASpaceAndAfterAnEqualsSign() {
    StatsJobConfig config =
        StatsJobConfig.parse(
            "--bootstrap-servers", "a:1,b:2", "--bound=5s", "--kafka.security.protocol=SSL");

    assertEquals("a:1,b:2", config.kafka().bootstrapServers());
    assertEquals(Duration.ofSeconds(5), config.bound());
    assertEquals(Map.of("security.protocol", "SSL"), config.kafka().properties());
  }

  @Test
  void theDefaultsAreThoseOfTheContract() {
    StatsJobConfig config = StatsJobConfig.parse("--bootstrap-servers", "a:1");

    assertEquals("warmpath-routing-stats", config.kafka().groupId());
    assertEquals(Duration.ofSeconds(2), config.bound());
    assertEquals(Duration.ofSeconds(60), config.allowedLateness());
    assertEquals(0.25, config.backlogShare());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--bond 2s|--bond: unknown option; see --help",
        "--kafka. x|--kafka.: unknown option; see --help",
        "bound 2s|bound: not an option; options begin with --",
        "--bound|--bound: no value given",
        "--bound 2s --bound 3s|--bound: given twice",
        "--bound fast|--bound: must be a duration like 500ms, 2s, 1m, 24h or 7d, not 'fast'",
        "--bound 0s|--bound: must be longer than 0",
        "--idleness -1s|--idleness: must be a duration like 500ms, 2s, 1m, 24h or 7d, not '-1s'",
        "--parallelism -1|--parallelism: must be a whole number from 0, not '-1'",
        "--parallelism x|--parallelism: must be a whole number from 0, not 'x'",
        "--backlog-share 1.5|--backlog-share: must be a number from 0 to 1, not '1.5'",
        "--backlog-share NaN|--backlog-share: must be a number from 0 to 1, not 'NaN'",
      })
  void whatIsWrongIsCalledByName(String arguments, String message) {
    String[] all = ("--bootstrap-servers a:1 " + arguments).split(" ");
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> StatsJobConfig.parse(all));
    assertEquals(message, thrown.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--bound 0s|--bound: must be longer than 0",
        "--idleness 0ms|--idleness: must be longer than 0",
        "--weights-idleness 0s|--weights-idleness: must be longer than 0",
        "--watermark-interval 0s|--watermark-interval: must be longer than 0",
        "--sample-rate 0|--sample-rate: must be above 0",
        "--sample-rate 2|--sample-rate: must be a number from 0 to 1, not '2'",
        "--capacity-blocks=0|--capacity-blocks: must be a whole number from 1, not '0'",
        "--capacity-factors 1,x|--capacity-factors: must be numbers by comma, not '1,x'",
        "--max-buffered 0|--max-buffered: must be a whole number from 1, not '0'",
      })
  void whatIsWrongOfTheShadowJobIsCalledByName(String arguments, String message) {
    List<String> all = new ArrayList<>(List.of("--bootstrap-servers", "a:1"));
    all.addAll(List.of(arguments.split(" ")));
    if (!arguments.startsWith("--capacity-blocks")) {
      all.add("--capacity-blocks=100");
    }
    IllegalArgumentException thrown =
        assertThrows(
            IllegalArgumentException.class,
            () -> ShadowJobConfig.parse(all.toArray(String[]::new)));
    assertEquals(message, thrown.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"--policies|fastest", "--policies|random,random", "--capacity-factors|2,1"})
  void policiesAndCapacitiesThatCannotBeAreCalledByTheirOptions(String option, String value) {
    IllegalArgumentException thrown =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                ShadowJobConfig.parse(
                    "--bootstrap-servers", "a:1", "--capacity-blocks", "100", option, value));
    assertTrue(thrown.getMessage().contains(option), thrown.getMessage());
  }

  @Test
  void brokersMustBeGiven() {
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> WeightsJobConfig.parse());
    assertEquals("--bootstrap-servers: must be given", thrown.getMessage());
  }

  @Test
  void helpNamesEveryOption() {
    String help = Options.help("job", StatsJobConfig.OPTIONS);
    for (Option option : StatsJobConfig.OPTIONS) {
      assertTrue(help.contains("--" + option.name()), option.name());
    }
  }

  @Test
  void deliveryIsAtLeastOnceOrExactlyOnce() {
    assertFalse(settings().kafka().exactlyOnce());
    assertTrue(settings("--delivery", "exactly-once").kafka().exactlyOnce());
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> settings("--delivery", "once"));
    assertEquals(
        "--delivery: must be at-least-once or exactly-once, not 'once'", thrown.getMessage());
  }

  @Test
  void aTrialHasItsOwnTopicsGroupAndSinks() {
    KafkaSettings live = settings().kafka();
    KafkaSettings trial = settings("--output-suffix", ".trial").kafka();

    assertEquals("llm.routing-stats", live.output("llm.routing-stats"));
    assertEquals("llm.routing-stats.trial", trial.output("llm.routing-stats"));
    assertEquals("warmpath-routing-stats.trial", trial.groupId());
    assertEquals("stats-sink", live.sinkUid("stats-sink"));
    assertEquals("stats-sink.trial", trial.sinkUid("stats-sink"));
  }

  @Test
  void aSuffixIsPartOfATopicsName() {
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> settings("--output-suffix", "a trial"));
    assertTrue(thrown.getMessage().startsWith("--output-suffix: must be"), thrown.getMessage());
  }

  @Test
  void exactlyOnceNeedsCheckpoints() {
    StatsJobConfig config = settings("--delivery", "exactly-once", "--checkpoint-interval", "0s");
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1);
    IllegalArgumentException thrown =
        assertThrows(
            IllegalArgumentException.class,
            () -> JobEnvironment.apply(env, config.kafka(), 1, config.checkpointInterval()));
    assertTrue(thrown.getMessage().startsWith("--delivery: "), thrown.getMessage());
  }

  private static StatsJobConfig settings(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--bootstrap-servers", "none:0"));
    all.addAll(List.of(arguments));
    return StatsJobConfig.parse(all.toArray(String[]::new));
  }

  @Test
  void aBrokerThatDoesNotAnswerIsCalledByItsOption() throws Exception {
    // It accepts connections, and says nothing.
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String servers = "127.0.0.1:" + silent.getLocalPort();
      KafkaSettings kafka = new KafkaSettings(servers, "group", Map.of());
      IllegalArgumentException thrown =
          assertThrows(
              IllegalArgumentException.class,
              () -> TopicCheck.require(kafka, List.of("t"), Duration.ofMillis(300)));
      assertEquals(
          "--bootstrap-servers: no answer from " + servers + " within 300 ms", thrown.getMessage());
    }
  }

  @Test
  void brokersThatCannotBeAnAddressAreCalledByTheirOption() {
    KafkaSettings kafka = new KafkaSettings("nowhere", "group", Map.of());
    IllegalArgumentException thrown =
        assertThrows(
            IllegalArgumentException.class,
            () -> TopicCheck.require(kafka, List.of("t"), Duration.ofMillis(300)));
    assertTrue(thrown.getMessage().startsWith("--bootstrap-servers"), thrown.getMessage());
  }
}
