package io.warmpath.balancer.tokenize;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.warmpath.balancer.prompt.PromptEncoder;
import io.warmpath.balancer.prompt.TokenizerKind;
import io.warmpath.balancer.request.Endpoint;
import io.warmpath.balancer.request.InvalidRequestException;
import io.warmpath.balancer.request.PromptParts;
import io.warmpath.balancer.request.RequestFacts;
import io.warmpath.balancer.request.RequestParser;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PromptPartsTest {

  private static final String USER = "{\"role\":\"user\",\"content\":\"Hi\"}";
  private static final String ASSISTANT = "{ \"role\": \"assistant\", \"content\": \"Hö\\n\" }";

  private final KnownPrompts known = new KnownPrompts(1 << 20);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'messages':[{'role':'user'}],'model':'m'} | {'messages':[{'role':'user'}],'model':'m'}",
        "{ 'messages' : [ {'a': 'b\\n'} , {} ] , 'n': 3 } | {'messages':[ {'a': 'b\\n'} , {} ]}",
        "{'stream':true,'model' : 'm€','messages':[{}]} | {'messages':[{}],'model':'m€'}",
        "{'messages':[{}],'add_generation_prompt':false } |"
            + " {'add_generation_prompt':false,'messages':[{}]}",
        "{'messages':[{}],'tools':[{'a':{'b':[]}}],'max_tokens':5} |"
            + " {'messages':[{}],'tools':[{'a':{'b':[]}}]}",
        "{'messages':[{}],'chat_template_kwargs':{'x':-1.5e3},'chat_template':'{{ m }}'} |"
            + " {'chat_template':'{{ m }}','chat_template_kwargs':{'x':-1.5e3},'messages':[{}]}",
        "{'messages':[{}],'tools':null,'documents':null,'prompt':'p'} | {'messages':[{}]}",
        "{'messages':[{}],'model':'a','messages':[{'a':2},{}],'model':'b'} | {'messages':[{'a':2},{}],'model':'b'}",
      })
  void asksWithTheClientsOwnBytes(String body, String question) {
    assertEquals(json(question), question(parts(json(body), Endpoint.CHAT)));
  }

  @Test
  void asksForTheTextOfACompletion() {
    String body = json("{'prompt':'Once \\u00e4','add_special_tokens':true,'messages':[1]}");
    assertEquals(
        json("{'add_special_tokens':true,'prompt':'Once \\u00e4'}"),
        question(parts(body, Endpoint.COMPLETIONS)));
  }

  @Test
  void readsNothingBehindTheBody() {
    byte[] body = (json("{'prompt':'a'}") + "   garbage").getBytes(StandardCharsets.UTF_8);
    PromptParts parts = facts(body, body.length - 10, Endpoint.COMPLETIONS).parts();
    assertEquals(json("{'prompt':'a'}"), question(parts));
  }

  /** What is done with the parts needs the bytes in them only. */
  @Test
  void aBodyIsParsedOnce() {
    byte[] body = json("{'model':'m','messages':[{}]}").getBytes(StandardCharsets.UTF_8);
    RequestFacts facts = facts(body, body.length, Endpoint.CHAT);
    body[0] = 'x';
    EngineTokenizer engine =
        new EngineTokenizer(
            "m", List::of, new PromptEncoder(TokenizerKind.ENGINE, 16), 16, Duration.ofSeconds(1));
    assertEquals(TokenSource.ASKED, engine.question(facts).source());
  }

  @Test
  void partsAreKeptOnlyWhereTheyAreWanted() throws Exception {
    byte[] body = json("{'model':'m','messages':[{}]}").getBytes(StandardCharsets.UTF_8);
    assertNull(new RequestParser(1 << 20).parse(body, body.length, Endpoint.CHAT).parts());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'messages':[{}],'documents':[{}]}",
        "{'messages':[{}],'reasoning_effort':'high'}",
        "{'messages':[{}],'truncate_prompt_tokens':5}",
        "{'messages':[{}],'mm_processor_kwargs':{}}",
        "{'messages':[]}",
        "{'model':'m'}",
      })
  void doesNotAskWhereTheEngineWouldNotSeeAllOfAChat(String body) {
    assertNull(parts(json(body), Endpoint.CHAT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{'prompt':['a']}", "{'prompt':[1,2]}", "{'model':'m'}", "{'input':'a'}"})
  void asksForOneTextOnly(String body) {
    assertNull(parts(json(body), Endpoint.COMPLETIONS));
    assertNull(parts(json(body), Endpoint.EMBEDDINGS));
  }

  @Test
  void aConversationThatGrewIsKnownByItsPast() {
    HashValue128[] before = keys(chat("[" + USER + "]"), "");
    HashValue128[] after = keys(chat("[" + USER + " , " + ASSISTANT + "," + USER + "]"), "");
    assertEquals(3, after.length);
    assertEquals(before[0], after[0]);
    assertNotEquals(after[0], after[2]);
  }

  @Test
  void whereAFieldStandsDoesNotMatter() {
    assertArrayEquals(
        keys("{\"model\":\"m\",\"messages\":[" + USER + "],\"tools\":[1]}", "s"),
        keys("{\"tools\":[1],\"stream\":true,\"messages\": [ " + USER + "],\"model\":\"m\"}", "s"));
  }

  @Test
  void whateverChangesAPromptChangesItsKey() {
    HashValue128 plain = keys(chat("[" + USER + "]"), "")[0];
    assertNotEquals(plain, keys(chat("[" + USER + "]"), "tenant")[0]);
    assertNotEquals(plain, keys(chat("[" + ASSISTANT + "]"), "")[0]);
    assertNotEquals(plain, keys(chat("[" + USER + "],\"tools\":[1]"), "")[0]);
    assertNotEquals(plain, keys(chat("[" + USER + "],\"add_generation_prompt\":false"), "")[0]);
    assertNotEquals(
        keys(chat("[" + USER + "],\"tools\":\"a\",\"chat_template\":\"b\""), "")[0],
        keys(chat("[" + USER + "],\"tools\":\"b\",\"chat_template\":\"a\""), "")[0]);
  }

  private HashValue128[] keys(String body, String salt) {
    PromptParts parts = parts(body, Endpoint.CHAT);
    assertNotNull(parts);
    return known.keys(parts, salt);
  }

  private static String chat(String messagesAndMore) {
    return "{\"messages\":" + messagesAndMore + "}";
  }

  private static PromptParts parts(String body, Endpoint endpoint) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return facts(bytes, bytes.length, endpoint).parts();
  }

  private static RequestFacts facts(byte[] body, int length, Endpoint endpoint) {
    try {
      return RequestParser.keepingParts(1 << 20).parse(body, length, endpoint);
    } catch (InvalidRequestException e) {
      throw new AssertionError(e);
    }
  }

  private static String question(PromptParts parts) {
    assertNotNull(parts);
    return parts.question().toString(StandardCharsets.UTF_8);
  }

  private static String json(String singleQuoted) {
    return singleQuoted.replace('\'', '"');
  }
}
