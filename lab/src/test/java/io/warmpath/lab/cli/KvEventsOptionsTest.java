package io.warmpath.lab.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.warmpath.replica.kvevents.BlockHashForm;
import io.warmpath.replica.kvevents.KvEventEncoding;
import io.warmpath.replica.kvevents.KvEventsConfig;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

class KvEventsOptionsTest {

  /** A command with nothing but these options. */
  @CommandLine.Command
  private static final class Only {
    @Mixin private KvEventsOptions options;
  }

  @Test
  void nothingIsPublishedUnlessAskedFor() {
    assertNull(parsed());
    assertNull(parsed("--kv-events-publisher", "null"));
  }

  @Test
  void defaultsAreThoseOfVllm() {
    KvEventsConfig config = parsed("--kv-events-publisher=zmq");
    assertEquals("tcp://*:5557", config.endpoint());
    assertNull(config.replayEndpoint());
    assertEquals("", config.topic());
    assertEquals(10_000, config.bufferSteps());
  }

  @Test
  void everyOptionArrives() {
    assertEquals(
        new KvEventsConfig(
            "tcp://router:5557",
            KvEventsConfig.SocketEnd.CONNECT,
            "tcp://*:5558",
            "kv@a@m",
            KvEventEncoding.MAP,
            BlockHashForm.BYTES,
            5,
            6),
        parsed(
            "--kv-events-publisher=zmq",
            "--kv-events-endpoint=tcp://router:5557",
            "--kv-events-socket=connect",
            "--kv-events-replay-endpoint=tcp://*:5558",
            "--kv-events-topic=kv@a@m",
            "--kv-events-encoding=map",
            "--kv-events-block-hashes=bytes",
            "--kv-events-buffer-steps=5",
            "--kv-events-hwm=6"));
  }

  @Test
  void optionWithoutPublisherIsRefused() {
    assertRefused("--kv-events-… needs --kv-events-publisher zmq", "--kv-events-topic=a");
  }

  @Test
  void wrongValueIsNamed() {
    assertRefused(
        "kv_events endpoint is 5557, must be tcp://ADDRESS:PORT or ipc://PATH",
        "--kv-events-publisher=zmq",
        "--kv-events-endpoint=5557");
  }

  private static void assertRefused(String message, String... args) {
    assertEquals(
        message, assertThrows(IllegalArgumentException.class, () -> parsed(args)).getMessage());
  }

  private static KvEventsConfig parsed(String... args) {
    Only command = new Only();
    new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(args);
    return command.options.config();
  }
}
