package io.warmpath.balancer.request;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.warmpath.balancer.prompt.Prompt;
import java.io.IOException;
import java.util.List;

/**
 * Reads a request's body with a streaming parser that touches only what routing needs. Stateless
 * and safe for concurrent use.
 */
public final class RequestParser {

  private static final int MAX_NESTING = 200;

  private final JsonFactory json;
  private final boolean keepsParts;

  /**
   * @param maxBodyBytes no string in a body is longer
   */
  public RequestParser(int maxBodyBytes) {
    this(maxBodyBytes, false);
  }

  /** One that also finds the parts of which an engine makes the prompt. */
  public static RequestParser keepingParts(int maxBodyBytes) {
    return new RequestParser(maxBodyBytes, true);
  }

  private RequestParser(int maxBodyBytes, boolean keepsParts) {
    this.keepsParts = keepsParts;
    json =
        JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_NESTING)
                    .maxStringLength(maxBodyBytes)
                    .build())
            .build();
  }

  /**
   * Reads the first {@code length} bytes of {@code body}.
   *
   * @throws InvalidRequestException if they are no JSON object or a field has the wrong type
   */
  public RequestFacts parse(byte[] body, int length, Endpoint endpoint)
      throws InvalidRequestException {
    if (length > 1 && (body[0] == 0 || body[1] == 0)) {
      throw new InvalidRequestException("The body must be JSON in UTF-8.", null);
    }
    try (JsonParser parser = json.createParser(body, 0, length)) {
      Fields fields =
          new Fields(parser, endpoint, keepsParts ? PromptParts.in(body, endpoint) : null);
      fields.read();
      return fields.facts();
    } catch (IOException e) {
      // The parser's own message quotes the body.
      throw new InvalidRequestException("The body is not valid JSON.", null);
    }
  }

  /** The fields of one request while they are read. */
  private static final class Fields {

    private final JsonParser parser;
    private final Endpoint endpoint;
    private final UsageOption usage;
    private String model;
    private boolean stream;
    private String user;
    private String cacheSalt = "";
    private Long maxTokens;
    private boolean answerOpened = true;
    private final PromptFields prompt;
    private final PromptParts parts;

    /**
     * @param parts told what it wants; null if nothing does
     */
    Fields(JsonParser parser, Endpoint endpoint, PromptParts parts) {
      this.parser = parser;
      this.endpoint = endpoint;
      this.usage = new UsageOption(parser);
      this.prompt = new PromptFields(parser, parts);
      this.parts = parts;
    }

    void read() throws IOException, InvalidRequestException {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new InvalidRequestException("The body must be a JSON object.", null);
      }
      usage.objectOpened();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        if (parts == null || value == JsonToken.VALUE_NULL || !parts.wants(name)) {
          readField(name);
        } else {
          int start = PromptParts.Slice.start(parser);
          readField(name);
          parts.add(name, PromptParts.Slice.to(start, parser));
        }
      }
      if (parser.nextToken() != null) {
        throw new InvalidRequestException("The body must be one JSON object.", null);
      }
    }

    private void readField(String name) throws IOException, InvalidRequestException {
      switch (name) {
        case "model" -> model = text(name);
        case "stream" -> stream = flag(name);
        case "user" -> user = text(name);
        case "cache_salt" -> cacheSalt = orEmpty(text(name));
        case "max_tokens", "max_completion_tokens" -> maxTokens = count();
        case "add_generation_prompt" ->
            answerOpened = parser.currentToken() == JsonToken.VALUE_NULL || flag(name);
        case "stream_options" -> usage.read();
        case "messages" -> readPrompt(endpoint == Endpoint.CHAT, name);
        case "prompt" -> readPrompt(endpoint == Endpoint.COMPLETIONS, name);
        case "input" -> readPrompt(endpoint == Endpoint.EMBEDDINGS, name);
        default -> parser.skipChildren();
      }
    }

    private void readPrompt(boolean belongsHere, String name)
        throws IOException, InvalidRequestException {
      if (!belongsHere) {
        parser.skipChildren();
      } else if (endpoint == Endpoint.CHAT) {
        prompt.readMessages();
      } else {
        prompt.readPrompt(name);
      }
    }

    RequestFacts facts() {
      boolean streams = stream && endpoint.streams();
      Prompt asked = prompt.prompt(answerOpened);
      return new RequestFacts(
          model,
          streams,
          asked == null ? new Prompt.Texts(List.of()) : asked,
          user,
          prompt.firstUserText(),
          maxTokens,
          cacheSalt,
          streams ? usage.edit() : BodyEdit.NONE,
          parts == null ? null : parts.complete());
    }

    private String text(String name) throws IOException, InvalidRequestException {
      return switch (parser.currentToken()) {
        case VALUE_STRING -> parser.getText();
        case VALUE_NULL -> null;
        default -> throw new InvalidRequestException("'" + name + "' must be a string.", name);
      };
    }

    private boolean flag(String name) throws InvalidRequestException {
      return switch (parser.currentToken()) {
        case VALUE_TRUE -> true;
        case VALUE_FALSE, VALUE_NULL -> false;
        default -> throw new InvalidRequestException("'" + name + "' must be a boolean.", name);
      };
    }

    /** A bound that is none leaves the length of the answer unknown; the engine may refuse it. */
    private Long count() throws IOException {
      if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
          && parser.getNumberType() == JsonParser.NumberType.INT) {
        return Math.max(0, parser.getLongValue());
      }
      parser.skipChildren();
      return null;
    }

    private static String orEmpty(String text) {
      return text == null ? "" : text;
    }
  }
}
