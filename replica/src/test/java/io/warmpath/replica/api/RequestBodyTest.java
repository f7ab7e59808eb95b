package io.warmpath.replica.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.routing.prompt.ChatTemplate;
import io.warmpath.routing.prompt.QuadTokenizer;
import io.warmpath.routing.prompt.TokenBuffer;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestBodyTest {

  @Test
  void readsWhatItKnowsAndSkipsTheRest() {
    RequestBody body =
        parse(
            """
            {"model": "m", "temperature": 0.7, "tools": [{"type": "function"}], "stream": true,
             "stream_options": {"include_usage": true, "other": [1]}, "max_completion_tokens": 7,
             "stop": null, "messages": []}
            """);
    assertEquals("m", body.model());
    assertTrue(body.stream());
    assertTrue(body.includeUsage());
    assertEquals(7, body.maxTokens());
    assertEquals("max_completion_tokens", body.maxTokensField());
  }

  @Test
  void chatGoesThroughTheTemplate() {
    TokenBuffer expected = new TokenBuffer();
    QuadTokenizer tokenizer = new QuadTokenizer();
    ChatTemplate.message(tokenizer, "user", "hello there", expected);
    ChatTemplate.message(tokenizer, "assistant", "", expected);
    ChatTemplate.answerOpening(tokenizer, expected);
    RequestBody body =
        parse(
            """
            {"messages": [
              {"content": [{"type": "text", "text": "hello"}, {"type": "text", "text": " there"}],
               "role": "user"},
              {"role": "assistant", "content": null, "tool_calls": [{"id": "x"}]}]}
            """);
    assertArrayEquals(expected.toArray(), body.chatTokens().toArray());
  }

  @Test
  void templateEndsWithoutAnOpeningWhereAsked() {
    String messages = "\"messages\": [{\"role\": \"user\", \"content\": \"x\"}]";
    int with = parse("{" + messages + "}").chatTokens().size();
    int without = parse("{" + messages + ", \"add_generation_prompt\": false}").chatTokens().size();
    assertTrue(without < with);
  }

  @Test
  void promptIsTextOrTokenIds() {
    int[] ids = {1, 2, -1};
    assertArrayEquals(ids, promptOf("[1, 2, 4294967295]"));
    assertArrayEquals(ids, promptOf("[[1, 2, 4294967295]]"));
    int[] text = {'a' | 'b' << 8, ' ' | 'c' << 8};
    assertArrayEquals(text, promptOf("\"ab c\""));
    assertArrayEquals(text, promptOf("[\"ab c\"]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "prompt | {\"prompt\": [\"a\", \"b\"]}",
        "prompt | {\"prompt\": 5}",
        "prompt[1] | {\"prompt\": [1, -1]}",
        "prompt[0] | {\"prompt\": [4294967296]}",
        "prompt[0] | {\"prompt\": [1e2]}",
        "prompt[1] | {\"prompt\": [1, 123456789012345678901234567890]}",
        "max_tokens | {\"max_tokens\": 0}",
        "max_tokens | {\"max_tokens\": 1.5}",
        "max_tokens | {\"max_tokens\": 9999999999}",
        "max_completion_tokens | {\"max_completion_tokens\": \"7\"}",
        "n | {\"n\": 2}",
        "stream | {\"stream\": \"yes\"}",
        "stream_options | {\"stream_options\": true}",
        "stream_options.include_usage | {\"stream_options\": {\"include_usage\": 1}}",
        "model | {\"model\": 5}",
        "messages | {\"messages\": {}}",
        "messages[0] | {\"messages\": [5]}",
        "messages[1].role | {\"messages\": [{\"role\": \"user\"}, {\"content\": \"x\"}]}",
        "messages[0].content | {\"messages\": [{\"role\": \"user\", \"content\": 5}]}",
        "messages[0].content[0] | {\"messages\": [{\"content\": [{\"type\": \"image_url\"}]}]}"
      })
  void refusalNamesTheField(String field, String json) {
    ApiException e = assertThrows(ApiException.class, () -> parse(json));
    assertEquals(400, e.status());
    assertTrue(e.getMessage().startsWith(field + " "), e.getMessage());
    assertTrue(e.json().contains("\"param\":\"" + field + "\""), e.json());
  }

  @Test
  void missingAndEmptyPromptsAreRefused() {
    RequestBody empty = parse("{\"prompt\": \"\", \"messages\": []}");
    assertThrows(ApiException.class, empty::promptTokens);
    assertThrows(ApiException.class, empty::chatTokens);
    RequestBody missing = parse("{}");
    assertThrows(ApiException.class, missing::promptTokens);
    assertThrows(ApiException.class, missing::chatTokens);
    assertNull(missing.maxTokens());
  }

  @Property
  void anyBytesAreReadOrRefused(@ForAll byte[] bytes) {
    try {
      RequestBody.parse(bytes);
    } catch (ApiException e) {
      assertEquals(400, e.status());
    }
  }

  @Test
  void deepNestingIsRefused() {
    assertThrows(ApiException.class, () -> parse("{\"x\":" + "[".repeat(100_000)));
  }

  private static int[] promptOf(String prompt) {
    return parse("{\"prompt\": " + prompt + "}").promptTokens().toArray();
  }

  private static RequestBody parse(String json) {
    return RequestBody.parse(json.getBytes(StandardCharsets.UTF_8));
  }
}
