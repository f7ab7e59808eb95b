package io.warmpath.lab.trace;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The public trace formats that Warmpath reads. */
public enum TraceFormat {
  /**
   * Mooncake's JSON lines: {@code timestamp} (ms), {@code input_length}, {@code output_length},
   * {@code hash_ids} of 512-token blocks, and in some files {@code session_id} and {@code turn}.
   */
  MOONCAKE(512),

  /** Azure's CSV {@code TIMESTAMP,ContextTokens,GeneratedTokens}: lengths only, no prefixes. */
  AZURE(16),

  /**
   * Qwen's (Bailian) JSON lines: {@code chat_id}, {@code parent_chat_id}, {@code timestamp} (s),
   * {@code input_length}, {@code output_length}, {@code type}, {@code turn}, {@code hash_ids} of
   * 16-token blocks.
   */
  QWEN(16);

  private final int blockTokens;

  TraceFormat(int blockTokens) {
    this.blockTokens = blockTokens;
  }

  /** Tokens of a block in files of this format. */
  public int blockTokens() {
    return blockTokens;
  }

  /** Whether requests list ids of their blocks, so that shared prefixes are known. */
  public boolean hasBlockIds() {
    return this != AZURE;
  }

  /** Name on the command line. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The format of that name.
   *
   * @throws IllegalArgumentException for any other name; the message lists the names
   */
  public static TraceFormat parse(String label) {
    for (TraceFormat format : values()) {
      if (format.label().equals(label)) {
        return format;
      }
    }
    throw new IllegalArgumentException(
        "unknown trace format '" + label + "'; known are " + labels());
  }

  static String labels() {
    return Arrays.stream(values()).map(TraceFormat::label).collect(Collectors.joining(", "));
  }
}
