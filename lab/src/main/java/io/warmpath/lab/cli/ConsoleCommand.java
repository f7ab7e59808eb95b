package io.warmpath.lab.cli;

import io.warmpath.console.ConsoleConfig;
import io.warmpath.console.ConsoleServer;
import io.warmpath.lab.screen.Screen;
import io.warmpath.lab.stack.Parts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a console. */
@Command(
    name = "console",
    description = "Runs the live page and the Prometheus exporter.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath console --bootstrap-servers localhost:9092",
      "  warmpath console --bootstrap-servers kafka:9092 --host 0.0.0.0 --port 8090"
    })
final class ConsoleCommand implements Runnable {

  @Mixin private KafkaOptions kafka;

  @Option(names = "--host", defaultValue = ConsoleConfig.DEFAULT_HOST, description = "Address.")
  private String host;

  @Option(
      names = "--port",
      defaultValue = "" + ConsoleConfig.DEFAULT_PORT,
      description = "Port; 0 takes a free one.")
  private int port;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    ConsoleConfig config =
        ConsoleConfig.of(kafka.bootstrapServers(), host, port).withKafka(kafka.properties());
    try (Parts parts = new Parts()) {
      ConsoleServer console = parts.add(ConsoleServer.start(config));
      Screen.of(spec).line("console at http://" + host + ":" + console.port() + "/");
      parts.awaitEnd();
    }
  }
}
