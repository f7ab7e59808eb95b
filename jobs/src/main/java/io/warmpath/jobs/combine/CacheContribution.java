package io.warmpath.jobs.combine;

import io.warmpath.jobs.pane.Count;
import io.warmpath.jobs.pane.CounterSource;
import io.warmpath.jobs.pane.Pane;
import io.warmpath.jobs.pane.PaneKey;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;

/** What cache events add: blocks that came and went, and prompts as the engine saw them. */
public final class CacheContribution implements Contribution<CacheEventBatch> {

  private static final long serialVersionUID = 1L;

  @Override
  public PaneKey keyOf(CacheEventBatch batch) {
    return PaneKey.of(batch.model(), null, batch.replica());
  }

  @Override
  public SequencePlace placeOf(CacheEventBatch batch) {
    int sources = CacheEventBatch.Source.values().length;
    return new SequencePlace(
        keyOf(batch),
        batch.rank() * sources + batch.source().ordinal(),
        batch.incarnation(),
        batch.seq(),
        batch.part() == null ? 0 : batch.part());
  }

  @Override
  public void add(CacheEventBatch batch, PaneKey key, OpenPanes.Second panes) {
    Pane pane = panes.of(key);
    pane.add(Count.CACHE_BATCHES, 1);
    for (CacheEvent event : batch.events()) {
      if (event instanceof CacheEvent.Counters counters) {
        CounterSource.of(batch.source()).add(counters, pane);
      } else {
        add(event, pane);
      }
    }
  }

  private static void add(CacheEvent event, Pane pane) {
    if (event instanceof CacheEvent.Stored stored) {
      pane.add(Count.STORED_BLOCKS, stored.hashesB64().size());
    } else if (event instanceof CacheEvent.Removed removed) {
      pane.add(Count.REMOVED_BLOCKS, removed.hashesB64().size());
    } else if (event instanceof CacheEvent.Cleared) {
      pane.add(Count.CLEARS, 1);
    } else if (event instanceof CacheEvent.Prefill prefill) {
      addPrefill(prefill, pane);
    }
  }

  private static void addPrefill(CacheEvent.Prefill prefill, Pane pane) {
    pane.add(Count.PREFILLS, 1);
    pane.add(Count.PREFILL_PROMPT_TOKENS, prefill.promptTokens());
    pane.add(Count.PREFILL_CACHED_TOKENS, prefill.cachedTokens());
    pane.add(Count.PREFILL_US, prefill.prefillUs());
    if (prefill.gpuUs() != null) {
      pane.add(Count.GPU_PREFILLS, 1);
      pane.add(
          Count.GPU_COMPUTED_TOKENS, Math.max(0, prefill.promptTokens() - prefill.cachedTokens()));
      pane.add(Count.GPU_US, prefill.gpuUs());
    }
  }
}
