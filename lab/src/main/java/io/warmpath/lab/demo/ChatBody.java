package io.warmpath.lab.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.warmpath.lab.stack.StackConfig;
import java.io.UncheckedIOException;

/** A chat as it goes on: what was said so far, and the request that asks for the next answer. */
public final class ChatBody {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ArrayNode messages = JSON.createArrayNode();

  public ChatBody user(String text) {
    return say("user", text);
  }

  public ChatBody assistant(String text) {
    return say("assistant", text);
  }

  private ChatBody say(String role, String text) {
    messages.addObject().put("role", role).put("content", text);
    return this;
  }

  /** JSON of the request. */
  public byte[] request(int maxTokens) {
    ObjectNode body = JSON.createObjectNode();
    body.put("model", StackConfig.MODEL);
    body.set("messages", messages);
    body.put("max_tokens", maxTokens);
    body.put("stream", true);
    body.putObject("stream_options").put("include_usage", true);
    try {
      return JSON.writeValueAsBytes(body);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
