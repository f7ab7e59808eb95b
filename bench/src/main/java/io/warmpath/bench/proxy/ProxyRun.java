package io.warmpath.bench.proxy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The measurements themselves, of contenders that take turns. */
final class ProxyRun {

  private static final List<AnswerForm> SHORT = List.of(AnswerForm.JSON, AnswerForm.STREAM);

  /** Those beside the balancer need less: little to compile, or nothing. */
  private static final int OTHERS_PART = 10;

  /** Part of a turn that goes ahead of what counts: connections are made. */
  private static final int SETTLE_PART = 5;

  private static final long WARM_UP_PIECE_MS = 2_000;

  private final ProxyPlan plan;
  private final List<ProxyKind> kinds;
  private final Upstreams upstreams;
  private final Proxies proxies;
  private final Consumer<String> progress;

  ProxyRun(
      ProxyPlan plan,
      List<ProxyKind> kinds,
      Upstreams upstreams,
      Proxies proxies,
      Consumer<String> progress) {
    this.plan = plan;
    this.kinds = kinds;
    this.upstreams = upstreams;
    this.proxies = proxies;
    this.progress = progress;
  }

  /** All forms of load on everyone, until the JVMs have compiled what they need. */
  void warmUp() throws IOException, InterruptedException {
    for (ProxyKind kind : kinds) {
      progress.accept("warming up " + kind.label());
      long totalMs = plan.warmUpMs() / (kind == ProxyKind.BALANCER ? 1 : OTHERS_PART);
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(totalMs);
      while (System.nanoTime() < end) {
        for (AnswerForm form : SHORT) {
          closedLoop(kind, form, 0, Math.min(totalMs, WARM_UP_PIECE_MS));
          OpenLoop.run(load(kind, form), plan.rate(), Math.min(totalMs, WARM_UP_PIECE_MS) / 2);
        }
        streams(kind);
      }
    }
  }

  /** Requests a second, of answers in a form. */
  List<RequestRow> requests(AnswerForm form) throws IOException, InterruptedException {
    Map<ProxyKind, List<ClosedLoop.Result>> results = new EnumMap<>(ProxyKind.class);
    for (int round = 1; round <= plan.rounds(); round++) {
      for (ProxyKind kind : kinds) {
        say("requests/s, " + form.label(), round, kind);
        of(results, kind).add(closedLoop(kind, form, settleMs(), plan.roundMs()));
      }
    }
    return kinds.stream().map(kind -> row(kind, form, results.get(kind))).toList();
  }

  private ClosedLoop.Result closedLoop(
      ProxyKind kind, AnswerForm form, long settleMs, long durationMs)
      throws IOException, InterruptedException {
    return ClosedLoop.run(
        load(kind, form), plan.connections(), settleMs, durationMs, () -> proxies.cpuNanos(kind));
  }

  private static RequestRow row(ProxyKind kind, AnswerForm form, List<ClosedLoop.Result> results) {
    List<Double> speeds = results.stream().map(ClosedLoop.Result::requestsPerSecond).toList();
    double requests = results.stream().mapToLong(ClosedLoop.Result::requests).sum();
    double cpu = results.stream().mapToLong(ClosedLoop.Result::cpuNanos).sum();
    double nanos = results.stream().mapToLong(ClosedLoop.Result::nanos).sum();
    return new RequestRow(
        kind,
        form,
        speeds.stream().sorted().toList().get(speeds.size() / 2),
        speeds,
        requests == 0 ? 0 : cpu / requests / 1e3,
        cpu / nanos,
        (long) requests,
        results.stream().mapToLong(ClosedLoop.Result::failures).sum());
  }

  /** Answer times at the plan's rate, of answers in a form. */
  List<LatencyRow> latencies(AnswerForm form) throws IOException, InterruptedException {
    Map<ProxyKind, List<OpenLoop.Result>> results = new EnumMap<>(ProxyKind.class);
    for (int round = 1; round <= plan.rounds(); round++) {
      for (ProxyKind kind : kinds) {
        say("answer times, " + form.label(), round, kind);
        Load load = load(kind, form);
        OpenLoop.run(load, plan.rate(), settleMs());
        of(results, kind).add(OpenLoop.run(load, plan.rate(), plan.roundMs()));
      }
    }
    return kinds.stream()
        .map(
            kind ->
                new LatencyRow(
                    kind,
                    form,
                    Delays.of(results.get(kind).stream().map(OpenLoop.Result::nanos).toList()),
                    each(results.get(kind).stream().map(OpenLoop.Result::nanos).toList()),
                    results.get(kind).stream().mapToLong(OpenLoop.Result::failures).sum()))
        .toList();
  }

  /** What chunks take on their way. */
  List<ChunkRow> chunks() throws IOException, InterruptedException {
    Map<ProxyKind, List<StreamLoad.Result>> results = new EnumMap<>(ProxyKind.class);
    for (int round = 1; round <= plan.rounds(); round++) {
      for (ProxyKind kind : kinds) {
        say("chunks", round, kind);
        of(results, kind).add(streams(kind));
      }
    }
    return kinds.stream()
        .map(
            kind ->
                new ChunkRow(
                    kind,
                    Delays.of(results.get(kind).stream().map(StreamLoad.Result::nanos).toList()),
                    each(results.get(kind).stream().map(StreamLoad.Result::nanos).toList()),
                    results.get(kind).stream().mapToLong(StreamLoad.Result::failures).sum()))
        .toList();
  }

  /** What the balancer holds after each minute of as many requests as it takes. */
  List<MemoryRow> memory() throws IOException, InterruptedException {
    List<MemoryRow> rows = new ArrayList<>();
    for (int minute = 1; minute <= plan.minutes(); minute++) {
      progress.accept("memory: minute %d of %d".formatted(minute, plan.minutes()));
      AnswerForm form = SHORT.get(minute % SHORT.size());
      ClosedLoop.Result result =
          closedLoop(ProxyKind.BALANCER, form, 0, TimeUnit.MINUTES.toMillis(1));
      ProcessMemory memory = proxies.memory(ProxyKind.BALANCER);
      rows.add(
          new MemoryRow(
              minute,
              form,
              result.requests(),
              result.failures(),
              memory.heapBytes(),
              memory.residentBytes(),
              memory.openFiles(),
              memory.threads()));
    }
    return rows;
  }

  private StreamLoad.Result streams(ProxyKind kind) throws IOException, InterruptedException {
    return StreamLoad.run(
        load(kind, AnswerForm.PACED), plan.streams(), plan.chunks(), plan.chunkIntervalMs());
  }

  private static List<Delays> each(List<long[]> rounds) {
    return rounds.stream().map(round -> Delays.of(List.of(round))).toList();
  }

  private Load load(ProxyKind kind, AnswerForm form) {
    upstreams.answer(form);
    return Load.of(form, proxies.ports(kind));
  }

  private long settleMs() {
    return plan.roundMs() / SETTLE_PART;
  }

  private void say(String what, int round, ProxyKind kind) {
    progress.accept("%s: round %d of %d, %s".formatted(what, round, plan.rounds(), kind.label()));
  }

  private static <R> List<R> of(Map<ProxyKind, List<R>> results, ProxyKind kind) {
    return results.computeIfAbsent(kind, first -> new ArrayList<>());
  }
}
