package io.warmpath.balancer.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * Finds where a body says {@code stream_options.include_usage}, and what edit makes it true. Of
 * several such fields the last counts, as with engines.
 */
final class UsageOption {

  private static final String INCLUDE = "\"include_usage\":true";

  private final JsonParser parser;
  private BodyEdit edit = BodyEdit.NONE;

  UsageOption(JsonParser parser) {
    this.parser = parser;
  }

  /** The body's object was opened: without the field, it is put first. */
  void objectOpened() {
    edit = insert("\"stream_options\":{" + INCLUDE + "},");
  }

  /** Reads the value of {@code stream_options}. */
  void read() throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      edit =
          parser.currentToken() == JsonToken.VALUE_NULL
              ? replace("{" + INCLUDE + "}")
              : BodyEdit.NONE;
      parser.skipChildren();
      return;
    }
    BodyEdit empty = insert(INCLUDE);
    BodyEdit found = null;
    boolean filled = false;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      filled = true;
      boolean includeUsage = parser.currentName().equals("include_usage");
      JsonToken value = parser.nextToken();
      if (includeUsage) {
        boolean off = value == JsonToken.VALUE_FALSE || value == JsonToken.VALUE_NULL;
        found = off ? replace("true") : BodyEdit.NONE;
      }
      parser.skipChildren();
    }
    if (found != null) {
      edit = found;
    } else {
      edit = filled ? new BodyEdit(empty.from(), empty.to(), INCLUDE + ",") : empty;
    }
  }

  /** The edit that makes the engine report usage, {@link BodyEdit#NONE} if it will anyway. */
  BodyEdit edit() {
    return edit;
  }

  /** Right after the bracket that was just read. */
  private BodyEdit insert(String text) {
    int after = position() + 1;
    return new BodyEdit(after, after, text);
  }

  /** In place of the literal that was just read. */
  private BodyEdit replace(String text) {
    int from = position();
    int length = parser.currentToken().asString().length();
    return new BodyEdit(from, from + length, text);
  }

  private int position() {
    return (int) parser.currentTokenLocation().getByteOffset();
  }
}
