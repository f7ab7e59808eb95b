package io.warmpath.balancer.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.warmpath.balancer.prompt.ChatMessage;
import io.warmpath.balancer.prompt.Prompt;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads {@code messages}, {@code prompt} and {@code input}. */
final class PromptFields {

  /** Ids have 32 bits, and no sign. */
  private static final long MAX_TOKEN_ID = 0xFFFF_FFFFL;

  private final JsonParser parser;
  private final PromptParts parts;
  private Prompt prompt;
  private String firstUserText;
  private boolean textOnly;

  /**
   * @param parts told where the messages are, or null
   */
  PromptFields(JsonParser parser, PromptParts parts) {
    this.parser = parser;
    this.parts = parts;
  }

  /**
   * The prompt, or null if there was none.
   *
   * @param answerOpened whether a chat's prompt opens the answer
   */
  Prompt prompt(boolean answerOpened) {
    return prompt instanceof Prompt.Chat chat && !answerOpened
        ? new Prompt.Chat(chat.messages(), chat.textOnly(), false)
        : prompt;
  }

  /** First message of the user, or null. */
  String firstUserText() {
    return firstUserText;
  }

  /** Reads the messages of a chat. */
  void readMessages() throws IOException, InvalidRequestException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw new InvalidRequestException("'messages' must be an array.", "messages");
    }
    firstUserText = null;
    textOnly = true;
    if (parts != null) {
      parts.messagesBegin();
    }
    List<ChatMessage> messages = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      int start = parts == null ? 0 : PromptParts.Slice.start(parser);
      ChatMessage message = readMessage();
      if (parts != null) {
        parts.addMessage(PromptParts.Slice.to(start, parser));
      }
      messages.add(message);
      if (firstUserText == null && message.role().equals("user")) {
        firstUserText = message.content();
      }
    }
    prompt = new Prompt.Chat(messages, textOnly, true);
  }

  private ChatMessage readMessage() throws IOException, InvalidRequestException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw new InvalidRequestException("'messages' must hold objects.", "messages");
    }
    String role = "";
    String content = "";
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (name.equals("role") && value == JsonToken.VALUE_STRING) {
        role = parser.getText();
      } else if (name.equals("content") && value == JsonToken.VALUE_STRING) {
        content = parser.getText();
      } else if (name.equals("content") && value == JsonToken.START_ARRAY) {
        content = readParts();
      } else {
        parser.skipChildren();
      }
    }
    return new ChatMessage(role, content);
  }

  private String readParts() throws IOException {
    StringBuilder text = new StringBuilder();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() == JsonToken.VALUE_STRING) {
        text.append(parser.getText());
      } else if (parser.currentToken() != JsonToken.START_OBJECT || !readPart(text)) {
        textOnly = false;
        parser.skipChildren();
      }
    }
    return text.toString();
  }

  /** Appends the text of a part; false if it has none. */
  private boolean readPart(StringBuilder text) throws IOException {
    boolean found = false;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (name.equals("text") && value == JsonToken.VALUE_STRING) {
        text.append(parser.getText());
        found = true;
      } else {
        parser.skipChildren();
      }
    }
    return found;
  }

  /** Reads a text, token ids, or a list of either. */
  void readPrompt(String name) throws IOException, InvalidRequestException {
    switch (parser.currentToken()) {
      case VALUE_STRING -> prompt = new Prompt.Texts(List.of(parser.getText()));
      case VALUE_NULL -> prompt = null;
      case START_ARRAY -> readList(name);
      default -> throw wrongType(name);
    }
  }

  private void readList(String name) throws IOException, InvalidRequestException {
    switch (parser.nextToken()) {
      case END_ARRAY -> prompt = null;
      case VALUE_STRING -> prompt = new Prompt.Texts(readTexts(name));
      case VALUE_NUMBER_INT -> prompt = new Prompt.Tokens(List.of(readTokens(name)));
      case START_ARRAY -> prompt = new Prompt.Tokens(readTokenLists(name));
      default -> throw wrongType(name);
    }
  }

  private List<String> readTexts(String name) throws IOException, InvalidRequestException {
    List<String> texts = new ArrayList<>();
    do {
      if (parser.currentToken() != JsonToken.VALUE_STRING) {
        throw wrongType(name);
      }
      texts.add(parser.getText());
    } while (parser.nextToken() != JsonToken.END_ARRAY);
    return texts;
  }

  private List<int[]> readTokenLists(String name) throws IOException, InvalidRequestException {
    List<int[]> lists = new ArrayList<>();
    do {
      if (parser.currentToken() != JsonToken.START_ARRAY) {
        throw wrongType(name);
      }
      lists.add(parser.nextToken() == JsonToken.END_ARRAY ? new int[0] : readTokens(name));
    } while (parser.nextToken() != JsonToken.END_ARRAY);
    return lists;
  }

  private int[] readTokens(String name) throws IOException, InvalidRequestException {
    int[] tokens = new int[64];
    int size = 0;
    do {
      if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT
          || parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
        throw wrongType(name);
      }
      long id = parser.getLongValue();
      if (id < 0 || id > MAX_TOKEN_ID) {
        throw wrongType(name);
      }
      if (size == tokens.length) {
        tokens = Arrays.copyOf(tokens, 2 * size);
      }
      tokens[size++] = (int) id;
    } while (parser.nextToken() != JsonToken.END_ARRAY);
    return Arrays.copyOf(tokens, size);
  }

  private static InvalidRequestException wrongType(String name) {
    return new InvalidRequestException(
        "'" + name + "' must be a string, token ids, or a list of either.", name);
  }
}
