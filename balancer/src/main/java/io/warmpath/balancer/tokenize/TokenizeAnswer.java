package io.warmpath.balancer.tokenize;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.async.ByteBufferFeeder;
import io.netty.buffer.ByteBuf;
import io.warmpath.routing.prompt.TokenBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads an answer of {@code /tokenize}, {@code {"count": 2, "max_model_len": …, "tokens": [1, 2]}},
 * as it comes in: only the tokens are kept. What is not such an answer is an {@link IOException}
 * that quotes nothing of it.
 */
final class TokenizeAnswer {

  private static final int MAX_NESTING = 16;
  private static final int MAX_TEXT = 64 * 1024;
  private static final long MAX_TOKEN_ID = 0xFFFF_FFFFL;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_NESTING)
                  .maxStringLength(MAX_TEXT)
                  .build())
          .build();

  private final JsonParser parser;
  private final ByteBufferFeeder feeder;
  private final int mostTokens;
  private final TokenBuffer tokens = new TokenBuffer();

  private int depth;
  private String field;
  private boolean inTokens;
  private boolean told;
  private boolean complete;
  private long count = -1;

  /**
   * @param mostTokens longer answers are refused
   */
  TokenizeAnswer(int mostTokens) throws IOException {
    this.mostTokens = mostTokens;
    parser = JSON.createNonBlockingByteBufferParser();
    feeder = (ByteBufferFeeder) parser.getNonBlockingInputFeeder();
  }

  /** Reads the next part. */
  void read(ByteBuf part) throws IOException {
    for (ByteBuffer bytes : part.nioBuffers()) {
      feeder.feedInput(bytes);
      JsonToken token;
      while ((token = parser.nextToken()) != JsonToken.NOT_AVAILABLE) {
        take(token);
      }
    }
  }

  private void take(JsonToken token) throws IOException {
    if (complete) {
      throw new IOException("more follows the answer");
    }
    switch (token) {
      case START_OBJECT, START_ARRAY -> open(token);
      case END_OBJECT, END_ARRAY -> {
        depth--;
        complete = depth == 0;
        inTokens = false;
      }
      case FIELD_NAME -> field = parser.currentName();
      default -> value(token);
    }
  }

  private void open(JsonToken token) throws IOException {
    if (inTokens || (depth == 0 && token != JsonToken.START_OBJECT)) {
      throw new IOException("not the answer of a tokenization");
    }
    if (depth == 1 && field.equals("tokens") && token == JsonToken.START_ARRAY) {
      inTokens = true;
      told = true;
      tokens.clear();
    }
    depth++;
  }

  private void value(JsonToken token) throws IOException {
    if (inTokens) {
      tokens.add(id(token));
      if (tokens.size() > mostTokens) {
        throw new IOException("more than " + mostTokens + " tokens");
      }
    } else if (depth == 0) {
      throw new IOException("not the answer of a tokenization");
    } else if (depth == 1 && field.equals("count") && token == JsonToken.VALUE_NUMBER_INT) {
      count = parser.getLongValue();
    }
  }

  private int id(JsonToken token) throws IOException {
    if (token != JsonToken.VALUE_NUMBER_INT
        || parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      throw new IOException("a token is no id");
    }
    long id = parser.getLongValue();
    if (id < 0 || id > MAX_TOKEN_ID) {
      throw new IOException("a token is no id");
    }
    return (int) id;
  }

  /** The tokens, once all was read. */
  TokenBuffer tokens() throws IOException {
    feeder.endOfInput();
    if (parser.nextToken() != null || !complete || !told) {
      throw new IOException("not the answer of a tokenization");
    }
    if (count >= 0 && count != tokens.size()) {
      throw new IOException("counts " + count + " tokens and lists " + tokens.size());
    }
    return tokens;
  }
}
