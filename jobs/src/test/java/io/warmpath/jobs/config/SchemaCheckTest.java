package io.warmpath.jobs.config;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.warmpath.jobs.testing.HangingBroker;
import io.warmpath.jobs.types.RecordKind;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Brokers that answer, but not with what is asked for. */
class SchemaCheckTest {

  private static final String TOPIC = "requests";

  /** The guard is far from both: without a bound of its own, closing a consumer takes 30 s. */
  @Test
  @Timeout(value = 20, unit = TimeUnit.SECONDS)
  void aBrokerThatBringsNoRecordsIsGivenUpOn() throws Exception {
    try (HangingBroker broker = new HangingBroker(TOPIC)) {
      KafkaSettings kafka = new KafkaSettings(broker.bootstrapServers(), "group", Map.of());
      assertThrows(
          TimeoutException.class,
          () ->
              SchemaCheck.require(
                  kafka, Map.of(TOPIC, RecordKind.REQUEST_EVENT), Duration.ofSeconds(2)));
    }
  }
}
