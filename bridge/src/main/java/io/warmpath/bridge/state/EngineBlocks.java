package io.warmpath.bridge.state;

import io.warmpath.bridge.wire.EngineBatch;
import io.warmpath.bridge.wire.EngineEvent;
import io.warmpath.bridge.wire.ExtraKeys;
import io.warmpath.routing.prefix.PrefixHasher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one rank of an engine holds: the engine's own block hashes, and for each the Warmpath hash
 * of the same prefix, computed from the tokens. A block whose Warmpath hash cannot be computed is
 * known, so that its end and its successors are understood, and told to nobody. For one thread.
 */
public final class EngineBlocks {

  private final ReplicaStream stream;
  private final int maxBlocks;
  private final BlockCounts counts;
  private final Map<Integer, GroupBlocks> groups = new TreeMap<>();
  private int rank;
  private PrefixHasher hasher = new PrefixHasher(1);

  /**
   * @param rank data-parallel rank, where the engine does not say another
   * @param maxBlocks most blocks that are followed, in all groups together
   */
  public EngineBlocks(ReplicaStream stream, int rank, int maxBlocks, BlockCounts counts) {
    this.stream = stream;
    this.rank = rank;
    this.maxBlocks = maxBlocks;
    this.counts = counts;
  }

  /** Blocks that are followed, with those that are told to nobody. */
  public int size() {
    return groups.values().stream().mapToInt(GroupBlocks::size).sum();
  }

  /**
   * Applies the events of a message.
   *
   * @param nowMs when it came, epoch milliseconds, for engines without a sensible clock
   */
  public void apply(EngineBatch batch, long nowMs) {
    if (batch.rank() != EngineBatch.NO_RANK) {
      rank = batch.rank();
    }
    double eventMs = batch.timeSeconds() * 1e3;
    stream.at(eventMs > 0 && eventMs < 2.0 * nowMs ? (long) eventMs : nowMs);
    for (EngineEvent event : batch.events()) {
      if (event instanceof EngineEvent.Stored stored) {
        store(stored);
      } else if (event instanceof EngineEvent.Removed removed) {
        remove(removed);
      } else {
        clear();
      }
    }
  }

  /** The engine was started anew and holds nothing. */
  public void restart(long nowMs) {
    stream.restarted(nowMs, this::removeAll);
  }

  /** The engine is not followed any more. */
  public void removeAll() {
    groups.forEach((group, blocks) -> blocks.forEach(leaving(group)));
    groups.clear();
  }

  private GroupBlocks.Holder leaving(int group) {
    return (hash, medium) -> stream.removed(rank, group, medium, hash);
  }

  private void clear() {
    long mine = groups.values().stream().mapToLong(GroupBlocks::holdings).sum();
    if (mine == stream.holdings()) {
      groups.clear();
      stream.cleared(rank);
    } else {
      removeAll();
    }
  }

  private void store(EngineEvent.Stored event) {
    int n = event.hashes().length;
    counts.stored.add(n);
    int medium = stream.media().number(event.medium());
    if (medium == Media.NONE) {
      counts.refused.add(n);
      return;
    }
    GroupBlocks blocks = groups.computeIfAbsent(event.group(), any -> new GroupBlocks());
    long[] prefixes = new long[n];
    int known = prefixes(event, blocks, prefixes);
    int room = maxBlocks - size();
    for (int i = 0; i < n; i++) {
      int block = blocks.find(event.hashes()[i]);
      if (block == KeyIndex.NONE) {
        if (room-- <= 0) {
          counts.refused.add(n - i);
          return;
        }
        block = blocks.add(event.hashes()[i]);
      }
      if (i < known && !blocks.isKnown(block)) {
        blocks.learn(block, prefixes[i]);
        for (int in = 0; in < stream.media().size(); in++) {
          if (blocks.count(block, in) > 0) {
            stream.stored(rank, event.group(), in, prefixes[i]);
          }
        }
      }
      if (blocks.increment(block, medium) && blocks.isKnown(block)) {
        stream.stored(rank, event.group(), medium, blocks.prefix(block));
      }
    }
  }

  /** Computes the Warmpath hashes of the first blocks, as many as can be; their number. */
  private int prefixes(EngineEvent.Stored event, GroupBlocks blocks, long[] prefixes) {
    int n = event.hashes().length;
    if ((long) n * event.blockTokens() != event.tokens().length
        || !stream.held(event.group()).takes(event.blockTokens())) {
      counts.unmatched.add(n);
      return 0;
    }
    if (event.loraId() != 0 && event.lora() == null) {
      counts.otherKeys.add(n);
      return 0;
    }
    long previous;
    int first = 0;
    if (event.parent() == null) {
      String salt = n == 0 ? "" : salt(event);
      if (salt == null) {
        counts.otherKeys.add(n);
        return 0;
      }
      first = 1;
      previous = PrefixHasher.root(salt, event.lora() == null ? "" : event.lora());
    } else {
      int parent = blocks.find(event.parent());
      if (parent == KeyIndex.NONE || !blocks.isKnown(parent)) {
        counts.orphaned.add(n);
        return 0;
      }
      previous = blocks.prefix(parent);
    }
    int plain = plainBlocks(event, first);
    counts.otherKeys.add(n - plain);
    if (hasher.blockTokens() != event.blockTokens()) {
      hasher = new PrefixHasher(event.blockTokens());
    }
    hasher.hash(previous, event.tokens(), 0, plain * event.blockTokens(), prefixes, 0);
    return plain;
  }

  /**
   * The cache salt, which stands with the first block of a prompt only; empty for none, null where
   * something else stands there.
   */
  private static String salt(EngineEvent.Stored event) {
    List<String> keys = beyondLora(event, 0);
    if (keys.isEmpty()) {
      return "";
    }
    return keys.size() == 1 && !keys.get(0).equals(ExtraKeys.NO_TEXT) ? keys.get(0) : null;
  }

  /** Blocks before the first one, from {@code first} on, that hangs on more than its adapter. */
  private static int plainBlocks(EngineEvent.Stored event, int first) {
    int n = event.hashes().length;
    if (event.extraKeys() == null) {
      return n;
    }
    int plain = Math.min(first, n);
    while (plain < n && beyondLora(event, plain).isEmpty()) {
      plain++;
    }
    return plain;
  }

  private static List<String> beyondLora(EngineEvent.Stored event, int block) {
    if (event.extraKeys() == null) {
      return List.of();
    }
    List<String> keys = event.extraKeys().of(block);
    if (event.lora() == null || !keys.contains(event.lora())) {
      return keys;
    }
    List<String> others = new ArrayList<>(keys);
    others.remove(event.lora());
    return others;
  }

  private void remove(EngineEvent.Removed event) {
    counts.removed.add(event.hashes().length);
    int medium = stream.media().number(event.medium());
    GroupBlocks blocks = groups.get(event.group());
    for (long hash : event.hashes()) {
      int block = blocks == null || medium == Media.NONE ? KeyIndex.NONE : blocks.find(hash);
      if (block == KeyIndex.NONE || blocks.count(block, medium) == 0) {
        counts.unknownRemoved.increment();
      } else {
        boolean known = blocks.isKnown(block);
        long prefix = blocks.prefix(block);
        if (blocks.decrement(block, medium) && known) {
          stream.removed(rank, event.group(), medium, prefix);
        }
      }
    }
  }
}
