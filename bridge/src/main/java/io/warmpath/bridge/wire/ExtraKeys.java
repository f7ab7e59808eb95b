package io.warmpath.bridge.wire;

import java.util.List;

/**
 * What went into the hashes of some blocks beside tokens: cache salt, name of the LoRA adapter,
 * identities of images and the like. An entry that is no text stands as {@link #NO_TEXT}.
 */
public record ExtraKeys(List<List<String>> ofBlocks) {

  /** An entry that is a number, a pair or anything but a text. */
  public static final String NO_TEXT = "\0";

  /** The keys of a block; empty where the engine lists none for it. */
  public List<String> of(int block) {
    return block < ofBlocks.size() ? ofBlocks.get(block) : List.of();
  }
}
