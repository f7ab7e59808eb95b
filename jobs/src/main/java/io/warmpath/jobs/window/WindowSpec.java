package io.warmpath.jobs.window;

import io.warmpath.jobs.pane.PaneKey;
import java.io.Serializable;
import java.util.List;

/**
 * A sliding window, aligned to the epoch.
 *
 * @param sizeMs length, a multiple of the slide
 * @param slideMs distance between windows, a multiple of {@link PaneKey#PANE_MS}
 * @param scope whose windows are kept
 */
public record WindowSpec(long sizeMs, long slideMs, Scope scope) implements Serializable {

  /** Whose windows are kept. */
  public enum Scope {
    /** Only sums over all policies or all replicas. */
    ROLL_UPS,
    /** Each policy and replica too. */
    ALL_KEYS
  }

  /** The windows of the contract. */
  public static final List<WindowSpec> DEFAULTS =
      List.of(
          new WindowSpec(10_000, 1_000, Scope.ROLL_UPS),
          new WindowSpec(60_000, 5_000, Scope.ALL_KEYS),
          new WindowSpec(300_000, 30_000, Scope.ALL_KEYS));

  public WindowSpec {
    if (slideMs <= 0 || slideMs % PaneKey.PANE_MS != 0 || sizeMs <= 0 || sizeMs % slideMs != 0) {
      throw new IllegalArgumentException(
          "window of " + sizeMs + " ms every " + slideMs + " ms is not made of whole panes");
    }
  }

  /** Whether this window is kept for a key. */
  public boolean covers(PaneKey key) {
    return scope == Scope.ALL_KEYS || key.isRollUp();
  }

  /** End of the first window that holds the pane which begins at {@code paneStartMs}. */
  public long firstEndMs(long paneStartMs) {
    return Math.floorDiv(paneStartMs, slideMs) * slideMs + slideMs;
  }

  /** End of the last window that holds that pane. */
  public long lastEndMs(long paneStartMs) {
    return Math.floorDiv(paneStartMs, slideMs) * slideMs + sizeMs;
  }

  /** Whether a window of this kind ends at {@code timeMs}. */
  public boolean endsAt(long timeMs) {
    return Math.floorMod(timeMs, slideMs) == 0;
  }

  /** The window of this kind that ends at {@code endMs}. */
  public Window endingAt(long endMs) {
    return new Window(endMs, sizeMs);
  }
}
