package io.warmpath.bridge.state;

import java.util.concurrent.atomic.LongAdder;

/** What became of the blocks that an engine told of. Any thread may read. */
public final class BlockCounts {

  /** Blocks that were stored, copies included. */
  public final LongAdder stored = new LongAdder();

  /** Blocks that were removed. */
  public final LongAdder removed = new LongAdder();

  /** Blocks whose predecessor is not known: an event was lost, or came before the bridge. */
  public final LongAdder orphaned = new LongAdder();

  /** Blocks whose tokens are not those of the listed blocks, or of a block size of their own. */
  public final LongAdder unmatched = new LongAdder();

  /** Blocks that hang on an image, a prompt's embedding or an adapter without a name. */
  public final LongAdder otherKeys = new LongAdder();

  /** Removed blocks that nothing was known of. */
  public final LongAdder unknownRemoved = new LongAdder();

  /** Blocks beyond the bound, or in one medium too many. */
  public final LongAdder refused = new LongAdder();
}
