package io.warmpath.lab.cli;

import io.warmpath.lab.founding.FoundingReport;
import io.warmpath.lab.founding.FoundingStudy;
import io.warmpath.lab.founding.FoundingWorkload;
import io.warmpath.lab.report.HtmlPage;
import io.warmpath.lab.screen.Screen;
import io.warmpath.lab.simulate.BatchedSimulation;
import io.warmpath.lab.simulate.FifoSimulation;
import io.warmpath.lab.simulate.FleetOptions;
import io.warmpath.lab.simulate.SimulationReport;
import io.warmpath.lab.simulate.SimulationRun;
import io.warmpath.lab.simulate.Slowdown;
import io.warmpath.lab.trace.Trace;
import io.warmpath.lab.trace.TraceFormat;
import io.warmpath.lab.trace.TraceReader;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.routing.policy.Policies;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares policies in virtual time. */
@Command(
    name = "simulate",
    description = {
      "Compares policies in virtual time, with the balancer's own policy code.",
      "Engine fifo takes prompts one by one, 50 µs a token, and equals the reference model to the"
          + " integer. Engine batched batches continuously, as the modelled replica does."
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  warmpath simulate --trace conversation_trace.jsonl.gz --replicas 8 --capacity 3000 \\",
      "      --policy round_robin,prefix_affinity,adaptive --json out.json --report out.html",
      "  warmpath simulate --trace trace.jsonl --slow 3=0.5@600s --policy least_loaded,adaptive",
      "  warmpath simulate --workload founding --engine batched --runs 200"
    })
final class SimulateCommand implements Callable<Integer> {

  private static final String TRACE_PROFILE = "llama-3.1-8b-h100";
  private static final int DEFAULT_RUNS = 200;
  private static final long DEFAULT_SEED = 1;

  /** How replicas compute. */
  enum Engine {
    FIFO,
    BATCHED
  }

  /** What is played. */
  enum Workload {
    FOUNDING
  }

  private static final class Source {
    @Option(
        names = "--trace",
        paramLabel = "FILE",
        required = true,
        description = "Trace to play, plain or gzipped.")
    private Path trace;

    @Option(
        names = "--workload",
        paramLabel = "NAME",
        required = true,
        description = "A workload made from seeds: founding (closed loop, engine batched).")
    private Workload workload;
  }

  @ArgGroup(multiplicity = "1")
  private Source source;

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description = "mooncake, azure or qwen; recognised by the first line if not given.")
  private String format;

  @Option(names = "--limit", paramLabel = "N", description = "Only the trace's first N requests.")
  private Integer limit;

  @Option(names = "--replicas", paramLabel = "N", defaultValue = "4", description = "Replicas.")
  private int replicas;

  @Option(
      names = "--capacity",
      paramLabel = "BLOCKS",
      defaultValue = "0",
      description = "Blocks of the trace that each cache holds; 0 = unbounded.")
  private int capacityBlocks;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "round_robin,prefix_affinity,adaptive",
      description = "Policies to compare, separated by commas.")
  private List<String> policies;

  @Option(
      names = "--engine",
      paramLabel = "fifo|batched",
      description = "How replicas compute. Default: fifo for a trace, batched for a workload.")
  private Engine engine;

  @Option(
      names = "--profile",
      paramLabel = "NAME|FILE",
      description =
          "GPU and model of the batched engine. Default: "
              + TRACE_PROFILE
              + " for a trace, founding for that workload.")
  private String profile;

  @Option(
      names = "--slow",
      paramLabel = "I=FACTOR[@TIME]",
      description = "Speed of replica I (from 0) from a trace time on: 3=0.5@600s halves it.")
  private List<Slowdown> slowdowns = List.of();

  @Option(
      names = "--runs",
      paramLabel = "K",
      description = "Seeds of a workload to run. Default: " + DEFAULT_RUNS + ".")
  private Integer runs;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "First seed of a workload. Default: " + DEFAULT_SEED + ".")
  private Long seed;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes all figures there.")
  private Path json;

  @Option(names = "--report", paramLabel = "FILE", description = "Writes a page with charts there.")
  private Path page;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    JsonFile.requireWritable(json);
    JsonFile.requireWritable("--report", page);
    policies.forEach(Policies::parse);
    if (source.trace == null) {
      FoundingReport report = founding();
      write(report, SimulationPage.of(report));
    } else {
      SimulationReport report = trace();
      write(report, SimulationPage.of(report));
    }
    return ExitCode.OK;
  }

  private void write(Object report, HtmlPage html) throws IOException {
    if (json != null) {
      JsonFile.write(json, report);
    }
    if (page != null) {
      html.write(page);
    }
  }

  private FoundingReport founding() {
    refuseWithWorkload("--format", format);
    refuseWithWorkload("--limit", limit);
    refuseWithWorkload("--engine fifo", engine == Engine.FIFO ? engine : null);
    refuseWithWorkload("--capacity", capacityBlocks == 0 ? null : capacityBlocks);
    if (!policies.contains(FoundingStudy.BASELINE)) {
      throw wrong("--policy must name " + FoundingStudy.BASELINE + ": the study compares with it");
    }
    FoundingStudy.Plan plan =
        new FoundingStudy.Plan(
            policies,
            runs == null ? DEFAULT_RUNS : runs,
            seed == null ? DEFAULT_SEED : seed,
            new FleetOptions(replicas, 0, slowdowns),
            EngineProfile.load(profile == null ? FoundingStudy.PROFILE : profile));
    Screen screen = Screen.of(spec);
    screen.line(
        "Playing the founding experiment in virtual time: %d requests a run, seeds %d to %d"
            .formatted(
                FoundingWorkload.REQUESTS, plan.firstSeed(), plan.firstSeed() + plan.runs() - 1));
    Progress progress = new Progress(screen, plan.runs(), "seeds");
    FoundingReport report = FoundingReport.of(FoundingStudy.run(plan, progress), plan);
    SimulationTables.founding(report).forEach(screen::line);
    return report;
  }

  private void refuseWithWorkload(String option, Object value) {
    if (value != null) {
      throw wrong(option + " goes with --trace, not with --workload");
    }
  }

  private SimulationReport trace() throws IOException {
    if (runs != null || seed != null) {
      throw wrong("--runs and --seed go with --workload: a trace is the same every time");
    }
    Trace trace = read();
    if (policies.contains("session") && !trace.sessionsKnown()) {
      throw wrong("--policy session needs a trace with session ids; this one has none");
    }
    Engine chosen = engine == null ? Engine.FIFO : engine;
    if (chosen == Engine.FIFO && profile != null) {
      throw wrong("--profile goes with --engine batched: fifo has its own constants");
    }
    Screen screen = Screen.of(spec);
    screen.line(
        "%s: %,d requests, %,d prompt tokens, blocks of %d; %d replicas, engine %s"
            .formatted(
                trace.name(),
                trace.size(),
                trace.totalInputTokens(),
                trace.blockTokens(),
                replicas,
                SimulationTables.name(chosen)));
    Progress progress = new Progress(screen, policies.size(), "policies");
    AtomicInteger done = new AtomicInteger();
    Function<String, SimulationRun> run = runner(trace, chosen);
    List<SimulationRun> all =
        policies.parallelStream()
            .map(
                policy -> {
                  SimulationRun figures = run.apply(policy);
                  progress.accept(done.incrementAndGet());
                  return figures;
                })
            .toList();
    SimulationReport report =
        new SimulationReport(trace.name(), SimulationTables.name(chosen), all);
    SimulationTables.runs(report).forEach(screen::line);
    return report;
  }

  private Function<String, SimulationRun> runner(Trace trace, Engine chosen) {
    FleetOptions fleet = new FleetOptions(replicas, capacityBlocks, slowdowns);
    if (chosen == Engine.FIFO) {
      return policy -> FifoSimulation.run(trace, fleet, policy);
    }
    EngineProfile engineProfile = EngineProfile.load(profile == null ? TRACE_PROFILE : profile);
    return policy -> BatchedSimulation.run(trace, fleet, engineProfile, policy);
  }

  private Trace read() throws IOException {
    Trace whole =
        format == null
            ? TraceReader.read(source.trace)
            : TraceReader.read(source.trace, TraceFormat.parse(format));
    if (limit != null && limit < 1) {
      throw wrong("--limit must be at least 1");
    }
    return limit == null ? whole : whole.first(limit);
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
