package io.warmpath.lab.calibrate;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Measures a target by a plan: times between tokens of sequences that decode together, times to
 * first token of an idle engine, and the same beside sequences that decode.
 */
public final class Calibration {

  private static final int DECODE_OUTPUT_TOKENS = 33;
  private static final int BESIDE_PROMPT_TOKENS = 64;
  private static final int BESIDE_OUTPUT_TOKENS = 128;
  private static final int MOST_BESIDE_OUTPUT_TOKENS = 4_096;

  /** Probes that are made ready before the sequences beside them start. */
  private static final int PROBES_AT_ONCE = 6;

  private static final int WARM_UP_PROBES = 3;

  private final CalibrationTarget target;
  private final CalibrationPlan plan;
  private final ProbePrompts prompts;
  private final IntConsumer progress;
  private final Map<Cell, Samples> cells = new LinkedHashMap<>();
  private int probes;

  /** One combination of the plan. */
  private record Cell(Observation.Kind kind, int promptTokens, double share, int decoding) {}

  /**
   * @param progress told how many probes were measured, after each
   */
  public Calibration(CalibrationTarget target, CalibrationPlan plan, IntConsumer progress) {
    this.target = target;
    this.plan = plan;
    this.progress = progress;
    prompts = new ProbePrompts(plan.seed(), plan.blockTokens());
  }

  /**
   * Measures everything. Takes as long as the probes take.
   *
   * @throws IllegalStateException if the target fails
   */
  public List<Observation> run() {
    for (int i = 0; i < WARM_UP_PROBES; i++) {
      target.send(prompts.fresh(plan.promptTokens().get(0)), 2);
    }
    measureDecoding();
    double stepUs = cells.values().iterator().next().median();
    measureIdle();
    for (int decoding : plan.concurrencies()) {
      if (decoding > 0) {
        measureBeside(decoding, stepUs);
      }
    }
    return cells.entrySet().stream()
        .map(
            entry -> {
              Cell cell = entry.getKey();
              return entry.getValue().observation(cell.kind, cell.promptTokens, cell.decoding);
            })
        .toList();
  }

  private void measureDecoding() {
    for (int context : plan.decodeContexts()) {
      for (int decoding : plan.decodeConcurrencies()) {
        for (int i = 0; i < plan.repeats(); i++) {
          measureDecoding(context, decoding);
        }
      }
    }
  }

  private void measureDecoding(int context, int decoding) {
    // With the same cached beginning all of them are prefilled at once and decode from there on.
    int shared = prompts.cacheable(context, 1);
    int[] first = prompts.fresh(context);
    warm(first, shared);
    List<int[]> all = new ArrayList<>();
    for (int i = 0; i < decoding; i++) {
      all.add(prompts.continued(first, shared, context));
    }
    ProbeTiming last =
        target.sendTogether(all, DECODE_OUTPUT_TOKENS).stream()
            .max(Comparator.comparingLong(ProbeTiming::firstTokenUs))
            .orElseThrow();
    double meanContext = context + last.outputTokens() / 2.0;
    add(
        new Cell(Observation.Kind.NEXT_TOKEN, context, 0, decoding),
        last.tokenUs(),
        decoding * meanContext,
        shared);
  }

  private void measureIdle() {
    for (Probe probe : probes(1)) {
      for (int i = 0; i < plan.repeats(); i++) {
        int[] prompt = prompts.fresh(probe.promptTokens);
        warm(prompt, probe.cachedTokens);
        ProbeTiming timing = target.send(prompt, 1);
        add(
            new Cell(Observation.Kind.FIRST_TOKEN, probe.promptTokens, probe.share, 0),
            timing.ttftUs(),
            0,
            cached(timing, probe.cachedTokens));
      }
    }
  }

  /** A prompt of the plan, and how much of it is to be in the cache. */
  private record Probe(int promptTokens, double share, int cachedTokens) {}

  private Deque<Probe> probes(int repeats) {
    Deque<Probe> all = new ArrayDeque<>();
    for (int i = 0; i < repeats; i++) {
      for (int promptTokens : plan.promptTokens()) {
        for (double share : plan.cachedShares()) {
          all.add(new Probe(promptTokens, share, prompts.cacheable(promptTokens, share)));
        }
      }
    }
    return all;
  }

  private void measureBeside(int decoding, double stepUs) {
    Deque<Probe> left = probes(plan.repeats());
    int outputTokens = BESIDE_OUTPUT_TOKENS;
    while (!left.isEmpty()) {
      int before = left.size();
      measureSomeBeside(decoding, stepUs, outputTokens, left);
      if (left.size() == before) {
        outputTokens *= 2;
        if (outputTokens > MOST_BESIDE_OUTPUT_TOKENS) {
          throw new IllegalStateException(
              "no prompt of %d tokens gets its first token while %d others generate %d each"
                  .formatted(left.element().promptTokens, decoding, outputTokens / 2));
        }
      }
    }
  }

  /** Sends probes for as long as the sequences beside them run; takes away those that count. */
  private void measureSomeBeside(int decoding, double stepUs, int outputTokens, Deque<Probe> left) {
    Deque<int[]> ready = new ArrayDeque<>();
    left.stream()
        .limit(PROBES_AT_ONCE)
        .forEach(
            probe -> {
              int[] prompt = prompts.fresh(probe.promptTokens);
              warm(prompt, probe.cachedTokens);
              ready.add(prompt);
            });
    List<int[]> others = new ArrayList<>();
    for (int i = 0; i < decoding; i++) {
      others.add(prompts.fresh(BESIDE_PROMPT_TOKENS));
    }
    CalibrationTarget.DecodingStreams streams = target.startDecoding(others, outputTokens);
    while (!ready.isEmpty()) {
      target.pause(prompts.upTo(2 * stepUs));
      long generated = streams.generatedTokens();
      ProbeTiming timing = target.send(ready.remove(), 1);
      if (!streams.allRunning()) {
        break;
      }
      Probe probe = left.remove();
      // The step that computes the prompt reads one token more of each.
      double context = (double) decoding * (BESIDE_PROMPT_TOKENS + 1) + generated;
      add(
          new Cell(
              Observation.Kind.FIRST_TOKEN_BESIDE_DECODING,
              probe.promptTokens,
              probe.share,
              decoding),
          timing.ttftUs(),
          context,
          cached(timing, probe.cachedTokens));
    }
    streams.end();
  }

  private void warm(int[] prompt, int tokens) {
    if (tokens > 0) {
      target.send(ProbePrompts.head(prompt, tokens), 1);
    }
  }

  private static int cached(ProbeTiming timing, int planned) {
    return timing.cachedTokens() == null ? planned : timing.cachedTokens();
  }

  private void add(Cell cell, double us, double contextTokens, int cachedTokens) {
    cells.computeIfAbsent(cell, any -> new Samples()).add(us, contextTokens, cachedTokens);
    progress.accept(++probes);
  }
}
