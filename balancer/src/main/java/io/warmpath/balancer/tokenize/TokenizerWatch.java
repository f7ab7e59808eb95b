package io.warmpath.balancer.tokenize;

import io.warmpath.balancer.metrics.PrometheusText;
import io.warmpath.balancer.prompt.PromptBlocks;
import io.warmpath.balancer.sse.TokenUsage;
import io.warmpath.balancer.upstream.RecentCounts;
import io.warmpath.schemas.request.RoutingFacts;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches whether a model's engine agrees with how the balancer tokenizes its prompts. Where it
 * does not, the index knows nothing of what replicas hold, and nothing else would say so. There are
 * two signs of it: the engine counts a prompt that the balancer took for exact as longer or
 * shorter; and it finds in its cache what the cache events never named. Safe for concurrent use.
 */
public final class TokenizerWatch {

  /** Metrics that {@link #writeTo} adds samples to. */
  public static final String COMPARED = "warmpath_balancer_tokenizer_prompts_total";

  public static final String ALARM = "warmpath_balancer_tokenizer_alarm";
  public static final String INDEX_TOKENS = "warmpath_balancer_index_tokens_total";

  private static final Logger LOG = LoggerFactory.getLogger(TokenizerWatch.class);

  private static final Duration WINDOW = Duration.ofMinutes(5);
  private static final int MIN_PROMPTS = 20;

  /** Share of prompts in the window that raises the alarm; half of it ends it. */
  private static final double COUNTED_OTHERWISE_SHARE = 0.05;

  /** Restarts of the balancer and histories that are too short explain some of them. */
  private static final double UNFORESEEN_SHARE = 0.5;

  private final String model;
  private final RecentCounts counts;
  private final RecentCounts hits;
  private final LongAdder same = new LongAdder();
  private final LongAdder otherwise = new LongAdder();
  private final LongAdder unforeseen = new LongAdder();
  private final LongAdder delivered = new LongAdder();
  private final LongAdder over = new LongAdder();
  private final LongAdder under = new LongAdder();
  private boolean alarm;

  /**
   * @param nanoTime monotonic clock
   */
  public TokenizerWatch(String model, LongSupplier nanoTime) {
    this.model = model;
    this.counts = new RecentCounts(WINDOW, nanoTime);
    this.hits = new RecentCounts(WINDOW, nanoTime);
  }

  /**
   * A request was answered in full.
   *
   * @param prompt as the balancer tokenized it
   * @param facts what it predicted
   * @param usage what the engine says
   * @param reporting whether cache events say what the replica holds
   */
  public void answered(
      PromptBlocks prompt, RoutingFacts facts, TokenUsage usage, boolean reporting) {
    Long cached = usage.cachedTokens();
    if (cached != null) {
      long predicted = facts.chosenCachedTokens();
      delivered.add(Math.min(predicted, cached));
      over.add(Math.max(0, predicted - cached));
      under.add(Math.max(0, cached - predicted));
    }
    if (!prompt.exact() || usage.promptTokens() == null) {
      return;
    }
    boolean differs = usage.promptTokens() != prompt.tokens();
    (differs ? otherwise : same).increment();
    boolean hit = reporting && cached != null && cached >= prompt.blockTokens();
    boolean unknown = hit && facts.seenTokens() == 0;
    if (unknown) {
      unforeseen.increment();
    }
    note(differs, hit, unknown);
  }

  private synchronized void note(boolean differs, boolean hit, boolean unknown) {
    count(counts, differs);
    if (hit) {
      count(hits, unknown);
    }
    double ofCounts = share(counts) / COUNTED_OTHERWISE_SHARE;
    double ofHits = share(hits) / UNFORESEEN_SHARE;
    if (!alarm && (ofCounts >= 1 || ofHits >= 1)) {
      alarm = true;
      LOG.error(
          "{}: THE ENGINE TOKENIZES PROMPTS IN ANOTHER WAY THAN THE BALANCER. In the last {} min it"
              + " counted {} of {} prompts otherwise, and {} of {} cache hits were on blocks that"
              + " no cache event named. Routing by cache is blind for such prompts: check"
              + " models[].tokenizer and block_tokens of this model",
          model,
          WINDOW.toMinutes(),
          counts.marked(),
          counts.marked() + counts.plain(),
          hits.marked(),
          hits.marked() + hits.plain());
    } else if (alarm && ofCounts < 0.5 && ofHits < 0.5) {
      alarm = false;
      LOG.info("{}: engine and balancer tokenize prompts alike again", model);
    }
  }

  private static void count(RecentCounts into, boolean marked) {
    if (marked) {
      into.addMarked();
    } else {
      into.addPlain();
    }
  }

  private static double share(RecentCounts of) {
    long marked = of.marked();
    long all = marked + of.plain();
    return all < MIN_PROMPTS ? 0 : (double) marked / all;
  }

  /** Whether the engine disagrees now. */
  synchronized boolean alarm() {
    return alarm;
  }

  /** Writes the metrics of some models. */
  public static void writeTo(PrometheusText text, Iterable<TokenizerWatch> watches) {
    text.metric(
        COMPARED,
        "counter",
        "Exact prompts, by whether the engine counted them alike.",
        "model",
        "count");
    for (TokenizerWatch watch : watches) {
      text.sample(COMPARED, watch.same.sum(), "model", watch.model, "count", "same");
      text.sample(COMPARED, watch.otherwise.sum(), "model", watch.model, "count", "different");
    }
    String unforeseen = "warmpath_balancer_unforeseen_hits_total";
    text.metric(
        unforeseen,
        "counter",
        "Hits of exact prompts on blocks that no followed cache event ever named.",
        "model");
    for (TokenizerWatch watch : watches) {
      text.sample(unforeseen, watch.unforeseen.sum(), "model", watch.model);
    }
    text.metric(ALARM, "gauge", "1 while the engine tokenizes prompts in another way.", "model");
    for (TokenizerWatch watch : watches) {
      text.sample(ALARM, watch.alarm() ? 1 : 0, "model", watch.model);
    }
    text.metric(
        INDEX_TOKENS,
        "counter",
        "Cached prompt tokens: delivered as predicted, over or under it.",
        "model",
        "fate");
    for (TokenizerWatch watch : watches) {
      text.sample(INDEX_TOKENS, watch.delivered.sum(), "model", watch.model, "fate", "delivered");
      text.sample(INDEX_TOKENS, watch.over.sum(), "model", watch.model, "fate", "over");
      text.sample(INDEX_TOKENS, watch.under.sum(), "model", watch.model, "fate", "under");
    }
  }
}
