package io.warmpath.bench.cli;

import io.warmpath.bench.micro.ParserBenchmark;
import java.util.concurrent.Callable;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures parts of the stats job and of a decision by JMH. */
@Command(
    name = "jmh",
    description = "Measures parts of the stats job and of a routing decision by JMH.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath bench jmh",
      "  warmpath bench jmh Parser --iterations 10 --json jmh.json"
    })
final class JmhCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "REGEX",
      arity = "0..1",
      defaultValue = ".*",
      description = "Only benchmarks whose names it is found in.")
  private String include;

  @Option(names = "--forks", paramLabel = "N", defaultValue = "1", description = "JVMs of each.")
  private int forks;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "5",
      description = "Seconds measured in each JVM, after as many to warm up.")
  private int iterations;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes JMH's own result there.")
  private String json;

  @Override
  public Integer call() throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(ParserBenchmark.class.getPackageName() + ".*" + include)
            .forks(forks)
            .warmupIterations(iterations)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(iterations)
            .measurementTime(TimeValue.seconds(1));
    if (json != null) {
      options.result(json).resultFormat(ResultFormatType.JSON);
    }
    new Runner(options.build()).run();
    return ExitCode.OK;
  }
}
