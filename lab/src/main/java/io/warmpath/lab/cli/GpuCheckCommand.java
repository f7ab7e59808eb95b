package io.warmpath.lab.cli;

import io.warmpath.lab.screen.Screen;
import io.warmpath.lab.screen.Table;
import io.warmpath.replica.cuda.Deviation;
import io.warmpath.replica.cuda.GpuCheck;
import io.warmpath.replica.cuda.TransformerModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks the GPU: does it compute what it should, and how fast? */
@Command(
    name = "gpu-check",
    description = {
      "Checks that the CUDA engine works on this machine's GPU, and how fast.",
      "Compares every kernel, and a small model's logits with and without cached prefixes, with the"
          + " same in plain Java; then times a larger model's steps and fits a profile for the"
          + " modelled engine. Exit code 0: all within tolerance; 1: not, or no GPU; 2: used"
          + " wrongly."
    },
    mixinStandardHelpOptions = true,
    exitCodeList = {"1:failed, or the GPU computes something else"},
    showDefaultValues = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath gpu-check",
      "  warmpath gpu-check --transformer llama-3.1-8b --json gpu.json"
    })
final class GpuCheckCommand implements Callable<Integer> {

  @Option(
      names = "--transformer",
      paramLabel = "NAME|FILE",
      defaultValue = "qwen3-0.6b",
      description = "Sizes of the model that is timed.")
  private String transformer;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes all that was found there.")
  private Path json;

  @Spec private CommandSpec spec;

  /**
   * All that was found.
   *
   * @param transformer name of the model that was timed
   */
  record Report(
      GpuCheck.Device device,
      List<Deviation> correctness,
      String transformer,
      GpuCheck.Speed speed) {}

  @Override
  public Integer call() throws IOException {
    JsonFile.requireWritable(json);
    TransformerModel model = TransformerModel.load(transformer);
    Screen screen = Screen.of(spec);
    GpuCheck.Device device = GpuCheck.device();
    screen.line(
        format(
            "%s, compute capability %.1f, %,d MiB, %.1f TFLOP/s in fp32 without tensor cores",
            device.name(),
            device.computeCapability() / 10.0,
            device.memoryTotalBytes() >> 20,
            device.peakTflops()));
    screen.progress("comparing with Java");
    List<Deviation> deviations = GpuCheck.correctness();
    correctness(deviations).lines().forEach(screen::line);
    screen.progress("timing " + model.name());
    GpuCheck.Speed speed = GpuCheck.speed(model);
    speed(model, device, speed).forEach(screen::line);
    if (json != null) {
      JsonFile.write(json, new Report(device, deviations, model.name(), speed));
    }
    return deviations.stream().allMatch(Deviation::holds) ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static Table correctness(List<Deviation> deviations) {
    Table table = new Table().row(List.of("compared with Java", "deviation", "at most", ""));
    for (Deviation each : deviations) {
      table.row(
          List.of(
              each.what(),
              format("%.1e", each.largest()),
              format("%.0e", each.tolerance()),
              each.holds() ? "holds" : "WRONG"));
    }
    return table;
  }

  private static List<String> speed(
      TransformerModel model, GpuCheck.Device device, GpuCheck.Speed speed) {
    return List.of(
        format(
            "%s, prefill of %,d tokens: %,.0f tokens/s, %.1f TFLOP/s, %.0f %% of the peak above",
            model.name(),
            speed.prefillTokens(),
            speed.prefillTokensPerSecond(),
            speed.prefillTflops(),
            100 * speed.prefillTflops() / device.peakTflops()),
        format(
            "%s, %,d sequences decoding: %,.0f tokens/s",
            model.name(), speed.decodeSequences(), speed.decodeTokensPerSecond()),
        format(
            "a step: %,.1f µs + %.2f µs · prefill tokens + %.2f µs · decoding sequences,"
                + " within %.0f %%",
            speed.fit().b0Us(),
            speed.fit().b1Us(),
            speed.fit().b2Us(),
            100 * speed.fit().largestResidual()));
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
