package io.warmpath.balancer.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.buffer.ByteBuf;
import io.warmpath.balancer.prompt.ChatMessage;
import io.warmpath.balancer.prompt.Prompt;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestParserTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final RequestParser parser = new RequestParser(1 << 20);

  @Test
  void readsAChat() throws Exception {
    RequestFacts facts =
        chat(
            "{\"model\":\"m\",\"messages\":[{\"role\":\"system\",\"content\":\"be kind\"},"
                + "{\"content\":\"hi \\u00e9\",\"role\":\"user\",\"extra\":{\"a\":[1]}}],"
                + "\"user\":\"u\",\"max_tokens\":7,\"stream\":true,\"tools\":[{\"x\":{}}]}");
    assertEquals("m", facts.model());
    assertTrue(facts.stream());
    assertEquals("u", facts.user());
    assertEquals("hi é", facts.firstUserText());
    assertEquals(7, facts.maxTokens());
    assertEquals(
        new Prompt.Chat(
            List.of(new ChatMessage("system", "be kind"), new ChatMessage("user", "hi é")),
            true,
            true),
        facts.prompt());
  }

  @Test
  void joinsTextPartsAndNotesOtherParts() throws Exception {
    RequestFacts facts =
        chat(
            "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":["
                + "{\"type\":\"text\",\"text\":\"a\"},"
                + "{\"type\":\"image_url\",\"image_url\":{\"url\":\"x\"}},"
                + "{\"type\":\"text\",\"text\":\"b\"}]}]}");
    Prompt.Chat prompt = (Prompt.Chat) facts.prompt();
    assertEquals("ab", prompt.messages().get(0).content());
    assertFalse(prompt.textOnly());
  }

  @Test
  void opensTheAnswerUnlessTheClientWantsOtherwise() throws Exception {
    String body = "{\"messages\":[],\"add_generation_prompt\":VALUE}";
    assertTrue(answerOpened("{\"messages\":[]}"));
    assertTrue(answerOpened(body.replace("VALUE", "null")));
    assertFalse(answerOpened(body.replace("VALUE", "false")));
  }

  private boolean answerOpened(String body) throws InvalidRequestException {
    return ((Prompt.Chat) chat(body).prompt()).answerOpened();
  }

  @Test
  void readsPromptsOfAllKinds() throws Exception {
    assertEquals(new Prompt.Texts(List.of("a")), completion("\"a\"").prompt());
    assertEquals(new Prompt.Texts(List.of("a", "b")), completion("[\"a\",\"b\"]").prompt());
    assertEquals(new Prompt.Texts(List.of()), completion("null").prompt());
    assertEquals(List.of(1, 2), ids(completion("[1,2]"), 0));
    assertEquals(List.of(3), ids(completion("[[1,2],[3]]"), 1));
    assertEquals(List.of(-1, 0), ids(completion("[4294967295,0]"), 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{",
        "{\"model\":\"m\"",
        "{\"model\":1}",
        "{\"model\":\"m\",\"stream\":\"yes\"}",
        "{\"model\":\"m\",\"messages\":{}}",
        "{\"model\":\"m\",\"messages\":[1]}",
        "{\"model\":\"m\"} {}",
        "{\"model\":\"m\",}",
        "\u0000{"
      })
  void refusesWhatIsNoRequest(String body) {
    assertThrows(InvalidRequestException.class, () -> chat(body));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1", "{}", "[1,\"a\"]", "[1.5]", "[99999999999]", "[-1]", "[[1],2]", "[true]"})
  void refusesPromptsOfOtherTypes(String prompt) {
    assertThrows(InvalidRequestException.class, () -> completion(prompt));
  }

  @Test
  void refusesDeepNesting() {
    String deep = "[".repeat(100_000) + "]".repeat(100_000);
    assertThrows(InvalidRequestException.class, () -> chat("{\"model\":\"m\",\"x\":" + deep + "}"));
  }

  @Test
  void quotesNoContentInItsMessages() {
    InvalidRequestException refusal =
        assertThrows(
            InvalidRequestException.class, () -> chat("{\"model\":\"m\",\"messages\":secret}"));
    assertFalse(refusal.getMessage().contains("secret"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"stream\":true,\"model\":\"m\"}",
        " {  \"stream\" : true }",
        "{\"stream\":true,\"stream_options\":{}}",
        "{\"stream\":true,\"stream_options\": { } }",
        "{\"stream_options\":null,\"stream\":true}",
        "{\"stream_options\":{\"include_usage\":false},\"stream\":true}",
        "{\"stream_options\":{\"include_usage\":null,\"other\":[1]},\"stream\":true}",
        "{\"stream_options\":{\"other\":{\"include_usage\":false}},\"stream\":true}",
        "{\"x\":\"é漢😀\",\"stream_options\":{\"other\":1,\"include_usage\" : false},\"stream\":true}"
      })
  void makesStreamsReportUsage(String body) throws Exception {
    RequestFacts facts = chat(body);
    String edited = apply(facts.usageEdit(), body);
    assertTrue(JSON.readTree(edited).at("/stream_options/include_usage").asBoolean(), edited);
    assertEquals(without(body), without(edited));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"stream\":true,\"stream_options\":{\"include_usage\":true}}",
        "{\"stream\":false}",
        "{\"model\":\"m\"}",
        "{\"stream\":true,\"stream_options\":{\"include_usage\":false},"
            + "\"stream_options\":{\"include_usage\":true}}"
      })
  void leavesAloneWhatNeedsNoEdit(String body) throws Exception {
    assertEquals(BodyEdit.NONE, chat(body).usageEdit());
    assertEquals(body, apply(BodyEdit.NONE, body));
  }

  @Test
  void neverStreamsEmbeddings() throws Exception {
    RequestFacts facts =
        parse("{\"model\":\"m\",\"input\":\"a\",\"stream\":true}", Endpoint.EMBEDDINGS);
    assertFalse(facts.stream());
    assertEquals(BodyEdit.NONE, facts.usageEdit());
    assertNull(facts.firstUserText());
  }

  /** All but the edited field. */
  private static ObjectNode without(String body) throws IOException {
    ObjectNode node = (ObjectNode) JSON.readTree(body);
    if (node.get("stream_options") instanceof ObjectNode options) {
      options.remove("include_usage");
    }
    JsonNode options = node.path("stream_options");
    if (options.isNull() || options.isEmpty()) {
      node.remove("stream_options");
    }
    return node;
  }

  private static String apply(BodyEdit edit, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    ByteBuf edited = edit.apply(bytes, bytes.length);
    try {
      return edited.toString(StandardCharsets.UTF_8);
    } finally {
      edited.release();
    }
  }

  private static List<Integer> ids(RequestFacts facts, int prompt) {
    return Arrays.stream(((Prompt.Tokens) facts.prompt()).prompts().get(prompt)).boxed().toList();
  }

  private RequestFacts completion(String prompt) throws InvalidRequestException {
    return parse("{\"model\":\"m\",\"prompt\":" + prompt + "}", Endpoint.COMPLETIONS);
  }

  private RequestFacts chat(String body) throws InvalidRequestException {
    return parse(body, Endpoint.CHAT);
  }

  private RequestFacts parse(String body, Endpoint endpoint) throws InvalidRequestException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return parser.parse(bytes, bytes.length, endpoint);
  }
}
