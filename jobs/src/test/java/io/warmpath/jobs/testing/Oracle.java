package io.warmpath.jobs.testing;

import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.source.Inbound.Parsed;
import io.warmpath.jobs.window.WindowSpec;
import io.warmpath.routing.control.FitBins;
import io.warmpath.routing.control.TheilSenFit;
import io.warmpath.routing.loss.PromptLoss;
import io.warmpath.routing.measure.DurationSketch;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import io.warmpath.schemas.codec.SixDecimals;
import io.warmpath.schemas.request.AttemptFailed;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.FirstToken;
import io.warmpath.schemas.request.Outcome;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.request.Routed;
import io.warmpath.schemas.stats.CacheStats;
import io.warmpath.schemas.stats.CounterStats;
import io.warmpath.schemas.stats.Distribution;
import io.warmpath.schemas.stats.FitStats;
import io.warmpath.schemas.stats.GpuStats;
import io.warmpath.schemas.stats.LostTokens;
import io.warmpath.schemas.stats.PrefillStats;
import io.warmpath.schemas.stats.RoutingStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * What the stats job should say, worked out the slow way: for each window and key a walk over all
 * events, straight from the definitions and without panes, merging or state.
 */
public final class Oracle {

  /** An event at the time that it counts at. */
  record Event(
      long timeMs,
      Object value,
      String model,
      String policy,
      String replica,
      boolean late,
      boolean skewed,
      boolean dropped,
      boolean copy) {

    /** Whether a row of these names counts it. */
    boolean counts(String ofModel, String ofPolicy, String ofReplica) {
      return model.equals(ofModel)
          && (ofPolicy.equals("*") || ofPolicy.equals(policy))
          && (ofReplica.equals("*") || ofReplica.equals(replica));
    }

    /** A routed event says nothing of its replica but how it came. */
    boolean shows() {
      return late || skewed || dropped || copy || !(value instanceof Routed);
    }
  }

  private final StatsJobConfig config;
  private final List<Event> events = new ArrayList<>();

  public Oracle(StatsJobConfig config) {
    this.config = config;
  }

  /** Takes in a topic's records, those of each partition in their order. */
  public <T> Oracle of(List<Parsed<T>> records) {
    Map<Integer, Long> highByPartition = new HashMap<>();
    Map<Integer, Map<List<Object>, Long>> countedByPartition = new HashMap<>();
    for (Parsed<T> record : records) {
      Long high = highByPartition.get(record.partition());
      Map<List<Object>, Long> counted =
          countedByPartition.computeIfAbsent(record.partition(), unseen -> new HashMap<>());
      long timeMs = record.eventTimeMs();
      long boundMs = config.bound().toMillis();
      boolean late = high != null && timeMs < high - boundMs;
      boolean tooLate =
          high != null && timeMs < high - boundMs - config.allowedLateness().toMillis();
      boolean copy = record.value() instanceof RequestEvent e && counted.containsKey(identity(e));
      if (!tooLate && !copy) {
        long now = highByPartition.merge(record.partition(), timeMs, Math::max);
        remember(record.value(), timeMs, now, counted);
      }
      events.add(
          event(
              tooLate ? high : timeMs,
              record.value(),
              late && !tooLate && !copy,
              record.skewed() && !tooLate && !copy,
              tooLate && !copy,
              copy));
    }
    return this;
  }

  private static List<Object> identity(RequestEvent event) {
    return List.of(event.context().requestId(), event.getClass(), event.context().attempt());
  }

  /** Buckets of ten seconds, that leave once the partition's time is two minutes past them. */
  private void remember(Object value, long timeMs, long highMs, Map<List<Object>, Long> counted) {
    if (value instanceof RequestEvent event) {
      long oldest = Math.floorDiv(highMs - config.duplicateMemory().toMillis(), 10_000);
      counted.values().removeIf(bucket -> bucket < oldest);
      counted.put(identity(event), Math.floorDiv(timeMs, 10_000));
    }
  }

  private static Event event(
      long timeMs, Object value, boolean late, boolean skewed, boolean dropped, boolean copy) {
    String model;
    String policy = null;
    String replica;
    if (value instanceof RequestEvent request) {
      model = request.context().model();
      policy = request.context().policy();
      replica = request.context().replica();
    } else if (value instanceof CacheEventBatch batch) {
      model = batch.model();
      replica = batch.replica();
    } else {
      model = ((ReplicaTelemetry) value).model();
      replica = ((ReplicaTelemetry) value).replica();
    }
    return new Event(timeMs, value, model, policy, replica, late, skewed, dropped, copy);
  }

  /** The final row of every window and key. */
  public List<RoutingStats> rows() {
    List<RoutingStats> rows = new ArrayList<>();
    for (WindowSpec spec : config.windows()) {
      Set<Long> ends = new HashSet<>();
      for (Event event : events) {
        long lastEnd = event.timeMs + spec.sizeMs();
        for (long end = spec.firstEndMs(event.timeMs); end <= lastEnd; end += spec.slideMs()) {
          ends.add(end);
        }
      }
      for (long end : ends) {
        addRows(spec, end, rows);
      }
    }
    return rows;
  }

  private void addRows(WindowSpec spec, long end, List<RoutingStats> rows) {
    List<Event> inWindow =
        events.stream().filter(e -> e.timeMs >= end - spec.sizeMs() && e.timeMs < end).toList();
    Set<List<String>> keys = new HashSet<>();
    for (Event event : inWindow) {
      if (event.shows() || lost(event) > 0) {
        keys.add(List.of(event.model, "*", "*"));
      }
      if (event.shows()) {
        String policy = Objects.requireNonNullElse(event.policy, "*");
        String replica = Objects.requireNonNullElse(event.replica, "*");
        keys.add(List.of(event.model, policy, "*"));
        keys.add(List.of(event.model, "*", replica));
        keys.add(List.of(event.model, policy, replica));
      }
    }
    for (List<String> key : keys) {
      boolean rollUp = key.contains("*");
      if (rollUp || spec.scope() == WindowSpec.Scope.ALL_KEYS) {
        rows.add(row(key, end - spec.sizeMs(), end, inWindow));
      }
    }
  }

  private static long lost(Event event) {
    return event.value instanceof RequestEvent request && !event.dropped && !event.copy
        ? request.context().eventsDropped()
        : 0;
  }

  private RoutingStats row(List<String> key, long start, long end, List<Event> inWindow) {
    List<Event> counted =
        inWindow.stream().filter(e -> e.counts(key.get(0), key.get(1), key.get(2))).toList();
    List<Event> accepted = counted.stream().filter(e -> !e.dropped && !e.copy).toList();
    List<Finished> finished = values(accepted, Finished.class);
    List<Finished> known = finished.stream().filter(f -> f.cachedTokens() != null).toList();
    List<Finished> unknown = finished.stream().filter(f -> f.cachedTokens() == null).toList();
    List<PromptLoss> losses = known.stream().map(Oracle::loss).toList();
    long attemptsFailed = values(accepted, AttemptFailed.class).size();
    long prompt = sum(losses, PromptLoss::prompt);
    long cached = sum(losses, PromptLoss::delivered);
    boolean overPolicies = key.get(1).equals("*");
    return new RoutingStats(
        start,
        end,
        key.get(0),
        key.get(1),
        key.get(2),
        false,
        finished.size(),
        count(finished, f -> f.outcome() == Outcome.OK),
        count(
            finished, f -> f.outcome() == Outcome.UPSTREAM_ERROR || f.outcome() == Outcome.TIMEOUT),
        count(finished, f -> f.outcome() == Outcome.CLIENT_ABORT),
        count(finished, f -> f.outcome() == Outcome.REJECTED),
        count(finished, Oracle::lastAttemptStood) + attemptsFailed,
        attemptsFailed,
        count(finished, f -> !f.context().stream()),
        overPolicies && key.get(2).equals("*") ? newlyLost(key.get(0), start, end) : 0,
        count(counted, Event::late),
        count(counted, Event::dropped),
        count(counted, Event::skewed),
        count(counted, Event::copy),
        SixDecimals.round(finished.size() * 1000.0 / (end - start)),
        prompt,
        cached,
        unknown.size(),
        sum(unknown, f -> f.facts().promptTokens()),
        SixDecimals.ratio(cached, prompt),
        SixDecimals.ratio(count(losses, loss -> loss.delivered() > 0), known.size()),
        distribution(
            values(accepted, FirstToken.class).stream().map(f -> f.times().ttftUs()).toList(),
            end - start == 60_000),
        distribution(ttfts(known, true), false),
        distribution(ttfts(known, false), false),
        distribution(
            finished.stream().filter(f -> f.outcome() == Outcome.OK).map(Finished::e2eUs).toList(),
            false),
        losses.stream().map(PromptLoss::lost).reduce(LostTokens.NONE, LostTokens::plus),
        sum(losses, PromptLoss::avoidable),
        overPolicies ? cache(values(accepted, CacheEventBatch.class)) : null,
        overPolicies ? prefill(events(accepted, CacheEvent.Prefill.class)) : null,
        overPolicies ? counterStats(FlagsOracle.counters(accepted)) : null,
        overPolicies ? gpu(accepted) : null,
        overPolicies ? fit(finished, events(accepted, CacheEvent.Prefill.class)) : null,
        overPolicies && end - start == 300_000
            ? FlagsOracle.flags(accepted, losses, start, end)
            : null);
  }

  private static List<Long> ttfts(List<Finished> known, boolean hit) {
    return known.stream()
        .filter(f -> f.ttftUs() != null && hit == (loss(f).delivered() > 0))
        .map(Finished::ttftUs)
        .toList();
  }

  static PromptLoss loss(Finished f) {
    return PromptLoss.of(
        f.facts().promptTokens(),
        f.facts().seenTokens(),
        f.facts().bestCachedTokens(),
        f.facts().bestAdmissibleCachedTokens(),
        f.facts().chosenCachedTokens(),
        f.cachedTokens());
  }

  private static boolean lastAttemptStood(Finished f) {
    return f.context().replica() != null
        && f.outcome() != Outcome.UPSTREAM_ERROR
        && f.outcome() != Outcome.TIMEOUT;
  }

  /** By how much the counters of all runs of balancers rose. */
  private long newlyLost(String model, long start, long end) {
    return highestLoss(model, end).entrySet().stream()
        .mapToLong(run -> run.getValue() - highestLoss(model, start).getOrDefault(run.getKey(), 0L))
        .sum();
  }

  private Map<String, Long> highestLoss(String model, long before) {
    Map<String, Long> highest = new HashMap<>();
    for (Event event : events) {
      if (event.timeMs < before && event.model.equals(model) && lost(event) > 0) {
        RequestEvent request = (RequestEvent) event.value;
        highest.merge(
            request.context().router() + request.context().routerStartMs(), lost(event), Math::max);
      }
    }
    return highest;
  }

  private static Distribution distribution(List<Long> values, boolean withSketch) {
    if (values.isEmpty()) {
      return Distribution.EMPTY;
    }
    DurationSketch sketch = new DurationSketch();
    values.forEach(sketch::add);
    return withSketch ? sketch.toDistributionWithSketch() : sketch.toDistribution();
  }

  private static CacheStats cache(List<CacheEventBatch> batches) {
    List<CacheEvent> all = batches.stream().flatMap(b -> b.events().stream()).toList();
    return batches.isEmpty()
        ? null
        : new CacheStats(
            all.stream()
                .mapToLong(e -> e instanceof CacheEvent.Stored s ? s.hashesB64().size() : 0)
                .sum(),
            all.stream()
                .mapToLong(e -> e instanceof CacheEvent.Removed r ? r.hashesB64().size() : 0)
                .sum(),
            count(all, CacheEvent.Cleared.class::isInstance),
            0,
            0,
            0);
  }

  static <T extends CacheEvent> List<T> events(List<Event> accepted, Class<T> type) {
    return values(accepted, CacheEventBatch.class).stream()
        .flatMap(batch -> batch.events().stream())
        .filter(type::isInstance)
        .map(type::cast)
        .toList();
  }

  private static CounterStats counterStats(List<CacheEvent.Counters> counters) {
    return counters.isEmpty()
        ? null
        : CounterStats.of(
            sum(counters, CacheEvent.Counters::queriedTokens),
            sum(counters, CacheEvent.Counters::hitTokens));
  }

  private static PrefillStats prefill(List<CacheEvent.Prefill> prefills) {
    List<CacheEvent.Prefill> onGpu = prefills.stream().filter(p -> p.gpuUs() != null).toList();
    return prefills.isEmpty()
        ? null
        : PrefillStats.of(
            prefills.size(),
            sum(prefills, CacheEvent.Prefill::promptTokens),
            sum(prefills, CacheEvent.Prefill::cachedTokens),
            sum(prefills, CacheEvent.Prefill::prefillUs),
            onGpu.isEmpty() ? null : sum(onGpu, CacheEvent.Prefill::gpuUs));
  }

  private static GpuStats gpu(List<Event> accepted) {
    Map<String, Event> last = new TreeMap<>();
    accepted.stream()
        .filter(e -> e.value instanceof ReplicaTelemetry t && t.gpu() != null)
        .sorted(Comparator.comparingLong(Event::timeMs))
        .forEach(e -> last.put(e.replica, e));
    List<ReplicaTelemetry.Gpu> gpus =
        last.values().stream().map(e -> ((ReplicaTelemetry) e.value).gpu()).toList();
    Set<ReplicaTelemetry.Source> sources = new HashSet<>();
    gpus.forEach(gpu -> sources.add(gpu.source()));
    return gpus.isEmpty()
        ? null
        : new GpuStats(
            gpus.size(),
            sum(gpus, ReplicaTelemetry.Gpu::memoryUsedBytes),
            sum(gpus, ReplicaTelemetry.Gpu::memoryTotalBytes),
            sources.size() == 1 ? sources.iterator().next() : null);
  }

  private FitStats fit(List<Finished> finished, List<CacheEvent.Prefill> prefills) {
    FitBins bins = new FitBins();
    for (Finished f : finished) {
      if (f.upstreamTtftUs() != null) {
        long cached = f.cachedTokens() == null ? f.facts().chosenCachedTokens() : f.cachedTokens();
        bins.add(
            FitBins.load(
                f.facts().promptTokens() - cached,
                f.facts().backlogTokens(),
                config.backlogShare()),
            f.upstreamTtftUs());
      }
    }
    List<CacheEvent.Prefill> onGpu = prefills.stream().filter(p -> p.gpuUs() != null).toList();
    long computed = sum(onGpu, p -> Math.max(0, p.promptTokens() - p.cachedTokens()));
    if (bins.isEmpty()) {
      return null;
    }
    return computed > 0
        ? TheilSenFit.withGpuSlope(
                bins, (double) sum(onGpu, CacheEvent.Prefill::gpuUs) / computed, 1)
            .orElse(null)
        : TheilSenFit.of(bins, 1).orElse(null);
  }

  static <T> List<T> values(List<Event> from, Class<T> type) {
    return from.stream().map(Event::value).filter(type::isInstance).map(type::cast).toList();
  }

  static <T> long count(List<T> values, Predicate<T> which) {
    return values.stream().filter(which).count();
  }

  static <T> long sum(List<T> values, ToLongFunction<T> what) {
    return values.stream().mapToLong(what).sum();
  }
}
