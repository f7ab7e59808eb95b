package io.warmpath.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ReplicaConfigTest {

  @Test
  void defaultsAreValid() {
    ReplicaConfig config = ReplicaConfig.builder().build();
    assertEquals("founding", config.profile().name());
    assertEquals(16, config.profile().blockTokens());
  }

  @Test
  void cacheSizeReplacesTheProfiles() {
    ReplicaConfig config = ReplicaConfig.builder().kvBlocks(50).blockTokens(32).build();
    assertEquals(50, config.profile().kvBlocks());
    assertEquals(32, config.profile().blockTokens());
  }

  @Test
  void refusalNamesTheOption() {
    assertRefused("name", builder -> builder.name(" "));
    assertRefused("model", builder -> builder.model(null));
    assertRefused("port", builder -> builder.port(70_000));
    assertRefused("time_scale", builder -> builder.timeScale(0.5));
    assertRefused("time_scale", builder -> builder.timeScale(Double.NaN));
    assertRefused("kv_blocks", builder -> builder.kvBlocks(0));
    assertRefused("block_tokens", builder -> builder.blockTokens(-1));
    assertRefused("telemetry_interval", builder -> builder.telemetryInterval(Duration.ZERO));
    assertRefused("counters_interval", builder -> builder.countersInterval(Duration.ZERO));
    assertRefused("max_output_tokens", builder -> builder.maxOutputTokens(0));
    assertRefused("default_output_tokens", builder -> builder.defaultOutputTokens(20_000));
    assertRefused("max_open_requests", builder -> builder.maxOpenRequests(0));
    assertRefused("max_body_bytes", builder -> builder.maxBodyBytes(0));
  }

  private static void assertRefused(String option, UnaryOperator<ReplicaConfig.Builder> change) {
    ReplicaConfig.Builder builder = change.apply(ReplicaConfig.builder());
    String message = assertThrows(IllegalArgumentException.class, builder::build).getMessage();
    assertTrue(message.startsWith(option + " is "), message);
  }
}
