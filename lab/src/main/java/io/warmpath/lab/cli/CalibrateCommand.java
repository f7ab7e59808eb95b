package io.warmpath.lab.cli;

import io.warmpath.lab.calibrate.Calibration;
import io.warmpath.lab.calibrate.CalibrationPage;
import io.warmpath.lab.calibrate.CalibrationPlan;
import io.warmpath.lab.calibrate.CalibrationReport;
import io.warmpath.lab.calibrate.CalibrationTables;
import io.warmpath.lab.calibrate.OpenTarget;
import io.warmpath.lab.screen.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures an engine and fits a profile to it. */
@Command(
    name = "calibrate",
    description = {
      "Measures an engine and fits a profile to it.",
      "Times first tokens over prompt length, cached share and the number of sequences that decode"
          + " meanwhile, and the time between tokens; fits the constants of a profile and says how"
          + " certain each is. A model is measured in virtual time, the CUDA engine by its GPU's"
          + " events, a server in real time: it must take token ids and ignore_eos (vLLM, SGLang and"
          + " warmpath replica do), and serve nobody else meanwhile."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath calibrate --target modelled:founding",
      "  warmpath calibrate --target cuda:llama-3.1-8b --out my-gpu.json",
      "  warmpath calibrate --target http://localhost:8000 --model my-model --out my-gpu.json",
      "  warmpath replica --profile my-gpu.json"
    })
final class CalibrateCommand implements Callable<Integer> {

  private static final long SEED_OF_MODELS = 1;

  @Option(
      names = "--target",
      paramLabel = "URL|modelled[:PROFILE]|cuda[:TRANSFORMER]",
      required = true,
      description =
          "What to measure: a server's base URL, the modelled engine, or the CUDA engine on this"
              + " machine's first GPU.")
  private String target;

  @Option(names = "--model", defaultValue = "warmpath-demo", description = "Model to ask for.")
  private String model;

  @Option(
      names = "--base",
      paramLabel = "NAME|FILE",
      description =
          "Profile that says of a server what times do not tell: token budget, batch size, KV"
              + " blocks, GPU. Default: "
              + OpenTarget.DEFAULT_PROFILE
              + ".")
  private String base;

  @Option(
      names = "--prompt-tokens",
      paramLabel = "N,…",
      split = ",",
      defaultValue = "64,128,256,512,1024,2048",
      description = "Prompt lengths.")
  private List<Integer> promptTokens;

  @Option(
      names = "--cached-share",
      paramLabel = "X,…",
      split = ",",
      defaultValue = "0,0.5,0.9",
      description = "Shares of the prompt that the cache holds.")
  private List<Double> cachedShares;

  @Option(
      names = "--concurrency",
      paramLabel = "N,…",
      split = ",",
      defaultValue = "0,4,16",
      description = "Sequences that decode meanwhile; 0 is the idle engine and must be there.")
  private List<Integer> concurrencies;

  @Option(
      names = "--repeats",
      paramLabel = "K",
      defaultValue = "7",
      description = "Measurements of each combination.")
  private int repeats;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Seed of the prompts. Default: 1 for a model, else the time.")
  private Long seed;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "120",
      description = "Most time for an answer of a server.")
  private int timeoutSeconds;

  @Option(names = "--out", paramLabel = "FILE", description = "Writes the profile there.")
  private Path out;

  @Mixin private JsonOutput json;

  @Option(names = "--report", paramLabel = "FILE", description = "Writes a page (Markdown) there.")
  private Path page;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    json.requireWritable();
    JsonFile.requireWritable("--out", out);
    JsonFile.requireWritable("--report", page);
    Screen screen = Screen.of(spec);
    CalibrationReport report;
    try (OpenTarget open =
        OpenTarget.open(target, base, model, Duration.ofSeconds(timeoutSeconds))) {
      CalibrationPlan plan = plan(open);
      screen.line("Measuring %s: %d times".formatted(open.target().name(), plan.probes()));
      Progress progress = new Progress(screen, plan.probes(), "probes");
      report =
          CalibrationReport.of(
              open.target().name(),
              new Calibration(open.target(), plan, progress).run(),
              open.base(),
              open.actual());
    }
    CalibrationTables.constants(report).lines().forEach(screen::line);
    screen.line("");
    CalibrationTables.residuals(report).lines().forEach(screen::line);
    write(report);
    return ExitCode.OK;
  }

  private CalibrationPlan plan(OpenTarget open) {
    long fresh = open.actual() == null ? System.currentTimeMillis() : SEED_OF_MODELS;
    List<Integer> lengths = promptTokens.stream().sorted().distinct().toList();
    List<Integer> decoding =
        Stream.concat(Stream.of(1), concurrencies.stream().filter(n -> n > 0))
            .sorted()
            .distinct()
            .toList();
    return new CalibrationPlan(
        lengths,
        cachedShares,
        concurrencies,
        Stream.of(lengths.get(0), lengths.get(lengths.size() - 1)).distinct().toList(),
        decoding,
        repeats,
        open.base().tokenBudget(),
        open.base().blockTokens(),
        seed == null ? fresh : seed);
  }

  private void write(CalibrationReport report) throws IOException {
    if (out != null) {
      JsonFile.write(out, report.profile());
    }
    json.write(report);
    if (page != null) {
      Files.write(page, CalibrationPage.of(report));
    }
  }
}
