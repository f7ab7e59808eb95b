package io.warmpath.replica;

import com.fasterxml.jackson.databind.JsonNode;
import io.warmpath.routing.prefix.PrefixHasher;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** What a router knows of an engine from its batches: Warmpath's hashes, from token ids alone. */
final class SeenBlocks {

  /** One engine hash: the block's hash here, and how many copies there are. */
  private record Block(long warmpathHash, int copies) {}

  private final Map<String, Block> blocks = new HashMap<>();
  private int removed;

  /** Takes a batch in. Returns whether it empties the cache. */
  boolean read(JsonNode batch) {
    boolean clears = false;
    for (JsonNode event : batch.isArray() ? batch.get(1) : batch.get("events")) {
      switch (field(event, "type", 0).asText()) {
        case "BlockStored" -> store(event);
        case "BlockRemoved" ->
            field(event, "block_hashes", 1).forEach(hash -> remove(hash.asText()));
        case "AllBlocksCleared" -> {
          blocks.clear();
          clears = true;
        }
        default -> throw new AssertionError("unknown event " + event);
      }
    }
    return clears;
  }

  private void store(JsonNode event) {
    JsonNode parent = field(event, "parent_block_hash", 2);
    if (!parent.isNull() && !blocks.containsKey(parent.asText())) {
      // It was told before anyone listened.
      return;
    }
    long last = parent.isNull() ? PrefixHasher.root("", "") : hash(parent.asText());
    int[] tokens =
        StreamSupport.stream(field(event, "token_ids", 3).spliterator(), false)
            .mapToInt(id -> (int) id.asLong())
            .toArray();
    PrefixHasher hasher = new PrefixHasher(field(event, "block_size", 4).asInt());
    long[] hashes = hasher.hash(last, tokens, 0, tokens.length);
    for (int i = 0; i < hashes.length; i++) {
      blocks.merge(
          field(event, "block_hashes", 1).get(i).asText(),
          new Block(hashes[i], 1),
          (known, more) -> new Block(known.warmpathHash(), known.copies() + 1));
    }
  }

  private void remove(String hash) {
    blocks.computeIfPresent(
        hash,
        (key, block) ->
            block.copies() == 1 ? null : new Block(block.warmpathHash(), block.copies() - 1));
    removed++;
  }

  /** Copies removed so far, of known blocks and others. */
  int removed() {
    return removed;
  }

  /** The blocks that are there. */
  Set<Long> hashes() {
    return blocks.values().stream().map(Block::warmpathHash).collect(Collectors.toSet());
  }

  private long hash(String engineHash) {
    return blocks.get(engineHash).warmpathHash();
  }

  private static JsonNode field(JsonNode event, String name, int index) {
    return event.isArray() ? event.get(index) : event.get(name);
  }
}
