package io.warmpath.lab.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;

/** Parser of the formats that write one JSON object a line: Mooncake's and Qwen's. */
final class JsonTraceParser {

  private static final JsonFactory JSON = new JsonFactory();

  /** Latest time on a trace's own time line: a hundred years. */
  private static final double MAX_SECONDS = 100 * 365.25 * 86_400;

  private static final int MAX_TOKENS = 100_000_000;

  private final String file;
  private final TraceFormat format;
  private final TraceBuilder out;
  private final Map<String, Long> sessions = new HashMap<>();

  private double timestamp;
  private int inputTokens;
  private int outputTokens;
  private String session;
  private String parent;

  JsonTraceParser(String file, TraceFormat format, TraceBuilder out) {
    this.file = file;
    this.format = format;
    this.out = out;
  }

  void parse(InputStream in) throws IOException {
    try (JsonParser parser = JSON.createParser(in)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        long line = parser.currentTokenLocation().getLineNr();
        if (token != JsonToken.START_OBJECT) {
          throw new TraceException(file, line, "expected a JSON object, found " + token);
        }
        try {
          request(parser);
        } catch (IllegalArgumentException e) {
          throw new TraceException(file, line, e.getMessage());
        }
      }
    }
  }

  private void request(JsonParser parser) throws IOException {
    timestamp = Double.NaN;
    inputTokens = -1;
    outputTokens = -1;
    session = null;
    parent = null;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      parser.nextToken();
      field(parser, field);
    }
    require(!Double.isNaN(timestamp), "timestamp is missing");
    require(inputTokens >= 0, "input_length is missing");
    require(outputTokens >= 0, "output_length is missing");
    out.endRequest(arrivalMicros(), inputTokens, outputTokens, sessionNumber());
  }

  private void field(JsonParser parser, String field) throws IOException {
    switch (field) {
      case "timestamp" -> timestamp = time(parser);
      case "input_length" -> inputTokens = tokens(parser, field);
      case "output_length" -> outputTokens = tokens(parser, field);
      case "hash_ids" -> blocks(parser);
      case "session_id", "chat_id" -> session = identifier(parser, field);
      case "parent_chat_id" -> parent = identifier(parser, field);
      default -> parser.skipChildren();
    }
  }

  private double time(JsonParser parser) throws IOException {
    require(parser.currentToken().isNumeric(), "timestamp is not a number");
    double value = parser.getDoubleValue();
    double seconds = format == TraceFormat.QWEN ? value : value / 1e3;
    require(seconds >= 0 && seconds <= MAX_SECONDS, "timestamp is out of range: " + value);
    return value;
  }

  /** Mooncake's milliseconds are cut to whole ones, as the reference model does. */
  private long arrivalMicros() {
    return format == TraceFormat.QWEN ? Math.round(timestamp * 1e6) : (long) timestamp * 1_000;
  }

  private int tokens(JsonParser parser, String field) throws IOException {
    require(parser.currentToken() == JsonToken.VALUE_NUMBER_INT, field + " is not an integer");
    long value = parser.getLongValue();
    require(value >= 0 && value <= MAX_TOKENS, field + " is out of range: " + value);
    return (int) value;
  }

  private void blocks(JsonParser parser) throws IOException {
    require(parser.currentToken() == JsonToken.START_ARRAY, "hash_ids is not an array");
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      require(token == JsonToken.VALUE_NUMBER_INT, "hash_ids holds something not an integer");
      out.block(parser.getLongValue());
    }
  }

  private static String identifier(JsonParser parser, String field) throws IOException {
    JsonToken token = parser.currentToken();
    require(token.isScalarValue(), field + " is neither a string nor a number");
    return token == JsonToken.VALUE_NULL ? null : parser.getText();
  }

  /** Qwen numbers each turn anew and names the turn before it; a session is such a chain. */
  private long sessionNumber() {
    if (session == null) {
      return Trace.NO_SESSION;
    }
    Long known = sessions.get(parent == null ? session : parent);
    long number = known == null ? sessions.size() + 1L : known;
    sessions.putIfAbsent(session, number);
    return number;
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
