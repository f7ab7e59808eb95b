package io.warmpath.replica.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonStringEncoder;

/** The little JSON that is read and written by hand. */
public final class Json {

  private static final int MAX_NESTING = 64;

  /** Strings are bounded by the body that holds them. */
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_NESTING)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private Json() {}

  /** The text as a JSON string, or {@code null}. */
  public static String quoted(String text) {
    if (text == null) {
      return "null";
    }
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
