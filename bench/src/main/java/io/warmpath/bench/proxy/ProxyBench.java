package io.warmpath.bench.proxy;

import io.warmpath.lab.embedded.DataFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Measures proxies in front of the same upstreams. All run at once, and take turns in rounds, so
 * that what else happens on the machine meets all of them.
 */
public final class ProxyBench {

  private final Consumer<String> progress;

  /**
   * @param progress told what is done now
   */
  public ProxyBench(Consumer<String> progress) {
    this.progress = progress;
  }

  /**
   * Starts everything, measures, and ends everything that it started. Contenders that are not
   * installed are left out.
   *
   * @throws IllegalStateException if a proxy does not come up
   */
  public ProxyReport run(ProxyPlan plan) throws IOException, InterruptedException {
    List<ProxyKind> missing =
        plan.contenders().stream().filter(kind -> Proxies.program(kind) == null).toList();
    List<ProxyKind> kinds =
        plan.contenders().stream().filter(kind -> !missing.contains(kind)).toList();
    try (Cores cores = Cores.split();
        DataFolder folder = DataFolder.temporary("bench-proxy");
        Upstreams upstreams =
            new Upstreams(plan.replicas(), plan.streams(), plan.chunks(), plan.chunkIntervalMs());
        Proxies proxies = new Proxies(folder.path(), cores, upstreams.ports())) {
      for (ProxyKind kind : kinds) {
        progress.accept("starting " + kind.label());
        proxies.start(kind, plan.jvmOptions());
      }
      ProxyRun run = new ProxyRun(plan, kinds, upstreams, proxies, progress);
      run.warmUp();
      List<RequestRow> requests = new ArrayList<>();
      List<LatencyRow> latencies = new ArrayList<>();
      List<ChunkRow> chunks = new ArrayList<>();
      List<MemoryRow> memory = new ArrayList<>();
      if (plan.measures().contains(Measure.REQUESTS)) {
        requests.addAll(run.requests(AnswerForm.JSON));
        requests.addAll(run.requests(AnswerForm.STREAM));
      }
      if (plan.measures().contains(Measure.LATENCY)) {
        latencies.addAll(run.latencies(AnswerForm.JSON));
        latencies.addAll(run.latencies(AnswerForm.STREAM));
      }
      if (plan.measures().contains(Measure.CHUNKS)) {
        chunks.addAll(run.chunks());
      }
      if (plan.measures().contains(Measure.MEMORY) && kinds.contains(ProxyKind.BALANCER)) {
        memory.addAll(run.memory());
      }
      return new ProxyReport(
          plan,
          cores.areSplit(),
          missing,
          requests,
          latencies,
          chunks,
          memory,
          proxies.balancerState());
    }
  }
}
