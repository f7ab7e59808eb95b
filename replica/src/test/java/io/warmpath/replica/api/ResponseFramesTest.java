package io.warmpath.replica.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The shapes of vLLM's OpenAI server, byte for byte. */
class ResponseFramesTest {

  private static final Usage USAGE = new Usage(30, 2, 16);
  private static final String USAGE_JSON =
      "\"usage\":{\"prompt_tokens\":30,\"total_tokens\":32,\"completion_tokens\":2,"
          + "\"prompt_tokens_details\":{\"cached_tokens\":16}}";

  private final ResponseFrames chat = new ResponseFrames(Endpoint.CHAT, "r1", 1796083200, "m\"1");
  private final ResponseFrames completion =
      new ResponseFrames(Endpoint.COMPLETION, "r1", 1796083200, "m");

  @Test
  void chatStreamOpensWithTheRole() {
    assertEquals(
        chatChunk(
            "{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},"
                + "\"logprobs\":null,\"finish_reason\":null}]}"),
        chat.opening());
  }

  @Test
  void chatStreamGoesOnWithContent() {
    assertEquals(
        chatChunk(
            "{\"index\":0,\"delta\":{\"content\":\" hi\"},"
                + "\"logprobs\":null,\"finish_reason\":null}]}"),
        chat.delta(" hi"));
  }

  @Test
  void lastChatTokenCarriesTheFinishReason() {
    assertEquals(
        chatChunk(
            "{\"index\":0,\"delta\":{\"content\":\" hi\"},"
                + "\"logprobs\":null,\"finish_reason\":\"length\",\"stop_reason\":null}]}"),
        chat.lastDelta(" hi", "length"));
  }

  @Test
  void usageChunkHasNoChoices() {
    assertEquals(chatChunk("]," + USAGE_JSON + "}"), chat.usage(USAGE));
  }

  @Test
  void wholeChat() {
    assertEquals(
        "{\"id\":\"chatcmpl-r1\",\"object\":\"chat.completion\",\"created\":1796083200,"
            + "\"model\":\"m\\\"1\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\","
            + "\"content\":\"oh hi\",\"refusal\":null,\"tool_calls\":[]},\"logprobs\":null,"
            + "\"finish_reason\":\"stop\",\"stop_reason\":null}],"
            + USAGE_JSON
            + "}",
        chat.whole("oh hi", "stop", USAGE));
  }

  @Test
  void completionStream() {
    assertEquals("", completion.opening());
    assertEquals(
        completionChunk(
            "{\"index\":0,\"text\":\" hi\",\"logprobs\":null,\"finish_reason\":null,"
                + "\"stop_reason\":null}]}"),
        completion.delta(" hi"));
    assertEquals(
        completionChunk(
            "{\"index\":0,\"text\":\" hi\",\"logprobs\":null,\"finish_reason\":\"length\","
                + "\"stop_reason\":null}]}"),
        completion.lastDelta(" hi", "length"));
    assertEquals(completionChunk("]," + USAGE_JSON + "}"), completion.usage(USAGE));
  }

  @Test
  void wholeCompletion() {
    assertEquals(
        "{\"id\":\"cmpl-r1\",\"object\":\"text_completion\",\"created\":1796083200,"
            + "\"model\":\"m\",\"choices\":[{\"index\":0,\"text\":\"hi\",\"logprobs\":null,"
            + "\"finish_reason\":\"length\",\"stop_reason\":null}],"
            + USAGE_JSON
            + "}",
        completion.whole("hi", "length", USAGE));
  }

  private static String chatChunk(String rest) {
    return "data: {\"id\":\"chatcmpl-r1\",\"object\":\"chat.completion.chunk\","
        + "\"created\":1796083200,\"model\":\"m\\\"1\",\"choices\":["
        + rest
        + "\n\n";
  }

  private static String completionChunk(String rest) {
    return "data: {\"id\":\"cmpl-r1\",\"object\":\"text_completion\","
        + "\"created\":1796083200,\"model\":\"m\",\"choices\":["
        + rest
        + "\n\n";
  }
}
