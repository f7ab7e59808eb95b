package io.warmpath.bench.proxy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Requests of many conversations with one system prompt, made once. */
final class Prompts {

  private static final int CONVERSATIONS = 256;
  private static final String SYSTEM =
      "You answer questions about the routing of inference requests. ".repeat(8);
  private static final String QUESTION =
      "In conversation %d, which of the replicas holds the prefix? ".repeat(4);

  private Prompts() {}

  /** A request of each conversation. */
  static List<ByteBuffer> requests(AnswerForm form) {
    List<ByteBuffer> requests = new ArrayList<>();
    for (int number = 0; number < CONVERSATIONS; number++) {
      String body = body(form, QUESTION.replace("%d", Integer.toString(number)));
      String request =
          """
          POST /v1/chat/completions HTTP/1.1\r
          host: 127.0.0.1\r
          user-agent: warmpath-bench\r
          accept: */*\r
          content-type: application/json\r
          content-length: %d\r
          \r
          %s"""
              .formatted(body.length(), body);
      requests.add(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
    }
    return requests;
  }

  private static String body(AnswerForm form, String question) {
    return """
        {"model":"%s","messages":[{"role":"system","content":"%s"},\
        {"role":"user","content":"%s"}],"max_tokens":64,"temperature":0.7,"stream":%s}"""
        .formatted(Answers.MODEL, SYSTEM, question, form != AnswerForm.JSON);
  }
}
