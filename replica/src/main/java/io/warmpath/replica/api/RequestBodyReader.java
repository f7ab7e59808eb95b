package io.warmpath.replica.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.warmpath.routing.prompt.QuadTokenizer;
import io.warmpath.routing.prompt.TokenBuffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a request's body in one pass, without a tree: prompts are long, and given as token ids they
 * would be millions of nodes.
 */
final class RequestBodyReader {

  private static final long MAX_TOKEN_ID = 0xFFFF_FFFFL;

  private final QuadTokenizer tokenizer = new QuadTokenizer();
  private String model;
  private TokenBuffer prompt;
  private List<ChatMessage> messages;
  private Integer maxTokens;
  private String maxTokensField = "max_tokens";
  private boolean stream;
  private boolean includeUsage;
  private boolean addGenerationPrompt = true;

  RequestBody read(byte[] json) {
    try (JsonParser parser = Json.FACTORY.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw ApiException.badBody("the body is not a JSON object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        parser.nextToken();
        readField(field, parser);
      }
      if (parser.nextToken() != null) {
        throw ApiException.badBody("more follows the JSON object");
      }
    } catch (IOException e) {
      throw ApiException.notJson(e);
    }
    return new RequestBody(
        model,
        prompt,
        messages,
        maxTokens,
        maxTokensField,
        stream,
        includeUsage,
        addGenerationPrompt);
  }

  private void readField(String field, JsonParser parser) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    switch (field) {
      case "model" -> model = text(field, parser);
      case "prompt" -> prompt = readPrompt(parser);
      case "messages" -> messages = readMessages(parser);
      case "max_tokens", "max_completion_tokens" -> {
        maxTokens = positive(field, parser);
        maxTokensField = field;
      }
      case "n", "best_of" -> {
        if (positive(field, parser) != 1) {
          throw ApiException.badField(field, "must be 1");
        }
      }
      case "stream" -> stream = flag(field, parser);
      case "stream_options" -> readStreamOptions(parser);
      case "add_generation_prompt" -> addGenerationPrompt = flag(field, parser);
      default -> parser.skipChildren();
    }
  }

  private TokenBuffer readPrompt(JsonParser parser) throws IOException {
    TokenBuffer tokens = new TokenBuffer();
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      tokenizer.encode(parser.getText(), tokens);
      return tokens;
    }
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw ApiException.badField("prompt", "must be a string or an array of token ids");
    }
    JsonToken first = parser.nextToken();
    if (first == JsonToken.VALUE_STRING || first == JsonToken.START_ARRAY) {
      TokenBuffer only = readPrompt(parser);
      if (parser.nextToken() != JsonToken.END_ARRAY) {
        throw ApiException.badField("prompt", "must be one prompt, not several");
      }
      return only;
    }
    for (JsonToken token = first; token != JsonToken.END_ARRAY; token = parser.nextToken()) {
      tokens.add(tokenId(parser, tokens.size()));
    }
    return tokens;
  }

  private static int tokenId(JsonParser parser, int index) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
        && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      long id = parser.getLongValue();
      if (id >= 0 && id <= MAX_TOKEN_ID) {
        return (int) id;
      }
    }
    throw ApiException.badField(
        "prompt[" + index + "]", "must be a token id, from 0 to " + MAX_TOKEN_ID);
  }

  private static List<ChatMessage> readMessages(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw ApiException.badField("messages", "must be an array");
    }
    List<ChatMessage> messages = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      messages.add(readMessage("messages[" + messages.size() + "]", parser));
    }
    return messages;
  }

  private static ChatMessage readMessage(String at, JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw ApiException.badField(at, "must be an object");
    }
    String role = null;
    String content = "";
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      JsonToken value = parser.nextToken();
      switch (field) {
        case "role" -> role = text(at + ".role", parser);
        case "content" -> {
          if (value != JsonToken.VALUE_NULL) {
            content = readContent(at + ".content", parser);
          }
        }
        default -> parser.skipChildren();
      }
    }
    if (role == null) {
      throw ApiException.badField(at + ".role", "is missing");
    }
    return new ChatMessage(role, content);
  }

  private static String readContent(String at, JsonParser parser) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      return parser.getText();
    }
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw ApiException.badField(at, "must be a string or an array of text parts");
    }
    StringBuilder joined = new StringBuilder();
    int part = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      joined.append(readPart(at + "[" + part++ + "]", parser));
    }
    return joined.toString();
  }

  private static String readPart(String at, JsonParser parser) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      return parser.getText();
    }
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw ApiException.badField(at, "must be an object");
    }
    String text = null;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      parser.nextToken();
      if (field.equals("text")) {
        text = text(at + ".text", parser);
      } else {
        parser.skipChildren();
      }
    }
    if (text == null) {
      throw ApiException.badField(at, "must be a text part: this model reads nothing else");
    }
    return text;
  }

  private void readStreamOptions(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw ApiException.badField("stream_options", "must be an object");
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      JsonToken value = parser.nextToken();
      if (field.equals("include_usage") && value != JsonToken.VALUE_NULL) {
        includeUsage = flag("stream_options.include_usage", parser);
      } else {
        parser.skipChildren();
      }
    }
  }

  private static String text(String field, JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      throw ApiException.badField(field, "must be a string");
    }
    return parser.getText();
  }

  private static boolean flag(String field, JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> throw ApiException.badField(field, "must be true or false");
    };
  }

  private static int positive(String field, JsonParser parser) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
        && parser.getNumberType() == JsonParser.NumberType.INT
        && parser.getIntValue() >= 1) {
      return parser.getIntValue();
    }
    throw ApiException.badField(field, "must be a whole number of at least 1");
  }
}
