package io.warmpath.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ConsoleConfigTest {

  @Test
  void addsKafkaPropertiesToTheBootstrapServers() {
    ConsoleConfig config =
        ConsoleConfig.of("kafka:9092", "0.0.0.0", 8090)
            .withKafka(Map.of("security.protocol", "SSL"));

    assertEquals(
        Map.of("bootstrap.servers", "kafka:9092", "security.protocol", "SSL"), config.kafka());
  }

  @Test
  void namesTheOptionThatIsWrong() {
    assertNames("bootstrapServers", () -> ConsoleConfig.of(" ", "127.0.0.1", 0));
    assertNames("host", () -> ConsoleConfig.of("kafka:9092", "", 0));
    assertNames("port", () -> ConsoleConfig.of("kafka:9092", "127.0.0.1", 70_000));
  }

  private static void assertNames(String option, Runnable build) {
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, build::run);
    assertTrue(refused.getMessage().contains(option), refused.getMessage());
  }
}
