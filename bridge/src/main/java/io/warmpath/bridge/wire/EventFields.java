package io.warmpath.bridge.wire;

import io.warmpath.routing.prefix.PrefixHasher;
import java.io.IOException;
import java.util.List;

/**
 * The fields of one event as they come, by place or by name. Which of them must be there depends on
 * the type; what an older engine does not know yet is missing at the end, and what a newer one adds
 * is counted and passed over.
 */
final class EventFields {

  /** Type of stored blocks. */
  static final String STORED = "BlockStored";

  /** Type of removed blocks. */
  static final String REMOVED = "BlockRemoved";

  /** Type of an emptied cache. */
  static final String CLEARED = "AllBlocksCleared";

  private static final List<String> STORED_FIELDS =
      List.of(
          "block_hashes",
          "parent_block_hash",
          "token_ids",
          "block_size",
          "lora_id",
          "medium",
          "lora_name",
          "extra_keys",
          "group_idx",
          "kv_cache_spec_kind",
          "kv_cache_spec_sliding_window");
  private static final List<String> REMOVED_FIELDS = List.of("block_hashes", "medium", "group_idx");

  /** Fields of stored blocks that every version has. */
  private static final int STORED_REQUIRED = 4;

  private long[] hashes;
  private Long parent;
  private int[] tokens;
  private int blockTokens;
  private String medium = EngineEvent.DEFAULT_MEDIUM;
  private String lora;
  private long loraId;
  private ExtraKeys extraKeys;
  private int group;

  /** Whether a type is known. */
  static boolean knows(String type) {
    return type.equals(STORED) || type.equals(REMOVED) || type.equals(CLEARED);
  }

  /**
   * Name of the field that stands at a place after the type; null for one that is not known.
   *
   * @param type a known type
   */
  static String nameAt(String type, int place) {
    List<String> names =
        switch (type) {
          case STORED -> STORED_FIELDS;
          case REMOVED -> REMOVED_FIELDS;
          default -> List.of();
        };
    return place < names.size() ? names.get(place) : null;
  }

  /** Fails for an event whose fields stand by place and that lacks some that must be there. */
  static void requirePlaces(String type, int fields) {
    int needed = type.equals(STORED) ? STORED_REQUIRED : type.equals(REMOVED) ? 1 : 0;
    if (fields < needed) {
      throw new MalformedEventException(type + " with " + fields + " fields");
    }
  }

  /** Reads a field; false if it is not known, and then nothing was read. */
  boolean read(String name, FieldReader in) throws IOException {
    if (!STORED_FIELDS.contains(name)) {
      return false;
    }
    // Nothing there is the same as not given.
    if (in.isNil()) {
      return true;
    }
    switch (name) {
      case "block_hashes" -> hashes = in.hashes();
      case "parent_block_hash" -> parent = in.hash();
      case "token_ids" -> tokens = in.tokens();
      case "block_size" -> blockTokens = in.number(1, PrefixHasher.MAX_BLOCK_TOKENS);
      case "lora_id" -> loraId = in.wholeNumber();
      case "medium" -> medium = in.medium();
      case "lora_name" -> lora = in.key();
      case "extra_keys" -> extraKeys = in.extraKeys();
      case "group_idx" -> group = in.group();
      case "kv_cache_spec_kind" -> in.name();
      default -> in.wholeNumber();
    }
    return true;
  }

  /** The event. */
  EngineEvent event(String type) {
    return switch (type) {
      case STORED -> {
        require(hashes != null, "block_hashes");
        require(tokens != null, "token_ids");
        require(blockTokens > 0, "block_size");
        yield new EngineEvent.Stored(
            hashes, parent, tokens, blockTokens, medium, lora, loraId, extraKeys, group);
      }
      case REMOVED -> {
        require(hashes != null, "block_hashes");
        yield new EngineEvent.Removed(hashes, medium, group);
      }
      default -> new EngineEvent.Cleared();
    };
  }

  private static void require(boolean there, String field) {
    if (!there) {
      throw new MalformedEventException(field + " is missing");
    }
  }
}
