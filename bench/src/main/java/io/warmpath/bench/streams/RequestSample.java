package io.warmpath.bench.streams;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.warmpath.bench.contender.WindowFigures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * What the windows need of a finished request, read by a streaming parser that passes over the
 * rest.
 *
 * @param e2eUs end-to-end time; −1 where the request was not answered
 * @param promptTokens prompt tokens
 * @param cachedTokens of them cached; −1 where the engine did not say
 */
record RequestSample(long e2eUs, long promptTokens, long cachedTokens) {

  /** Stands for the replica of a request that came to none. */
  static final String NO_REPLICA = "*";

  private static final JsonFactory JSON = new JsonFactory();
  private static final int BYTES = 3 * Long.BYTES;

  /** A sample and the key that it counts under. */
  record Keyed(String key, RequestSample sample) {}

  /** Reads an event; null where it is none that counts. */
  static Keyed parse(byte[] event) {
    String type = "";
    String outcome = "";
    String model = "";
    String policy = "";
    String replica = NO_REPLICA;
    long e2eUs = -1;
    long promptTokens = 0;
    long cachedTokens = -1;
    try (JsonParser parser = JSON.createParser(event)) {
      parser.nextToken();
      String field;
      while ((field = parser.nextFieldName()) != null) {
        JsonToken value = parser.nextToken();
        if (value == JsonToken.VALUE_NULL) {
          continue;
        }
        switch (field) {
          case "type" -> type = parser.getText();
          case "outcome" -> outcome = parser.getText();
          case "model" -> model = parser.getText();
          case "policy" -> policy = parser.getText();
          case "replica" -> replica = parser.getText();
          case "e2e_us" -> e2eUs = parser.getLongValue();
          case "prompt_tokens" -> promptTokens = parser.getLongValue();
          case "cached_tokens" -> cachedTokens = parser.getLongValue();
          default -> parser.skipChildren();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return type.equals("finished")
        ? new Keyed(
            WindowFigures.key(model, policy, replica),
            new RequestSample(outcome.equals("ok") ? e2eUs : -1, promptTokens, cachedTokens))
        : null;
  }

  byte[] toBytes() {
    return ByteBuffer.allocate(BYTES)
        .putLong(e2eUs)
        .putLong(promptTokens)
        .putLong(cachedTokens)
        .array();
  }

  static RequestSample ofBytes(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new RequestSample(buffer.getLong(), buffer.getLong(), buffer.getLong());
  }
}
