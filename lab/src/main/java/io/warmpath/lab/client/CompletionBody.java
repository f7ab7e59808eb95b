package io.warmpath.lab.client;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;

/** Bodies of streaming completions whose prompt is given as token ids. */
public final class CompletionBody {

  private static final String STREAM =
      ",\"stream\":true,\"stream_options\":{\"include_usage\":true}}";

  private CompletionBody() {}

  /** An answer of at most {@code maxTokens}. */
  public static byte[] atMost(int maxTokens, String model, int[] prompt) {
    return bytes(start(model, prompt, maxTokens).append(STREAM));
  }

  /**
   * An answer of so many tokens, where the engine knows {@code ignore_eos} (vLLM and SGLang do);
   * others may refuse it.
   */
  public static byte[] exactly(int tokens, String model, int[] prompt) {
    return bytes(start(model, prompt, tokens).append(",\"ignore_eos\":true").append(STREAM));
  }

  private static StringBuilder start(String model, int[] prompt, int maxTokens) {
    StringBuilder json = new StringBuilder(6 * prompt.length + 200);
    String name = new String(JsonStringEncoder.getInstance().quoteAsString(model));
    json.append("{\"model\":\"").append(name).append("\",\"prompt\":[");
    for (int i = 0; i < prompt.length; i++) {
      json.append(i == 0 ? "" : ",").append(prompt[i]);
    }
    return json.append("],\"max_tokens\":").append(maxTokens);
  }

  private static byte[] bytes(StringBuilder json) {
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }
}
