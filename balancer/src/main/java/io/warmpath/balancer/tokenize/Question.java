package io.warmpath.balancer.tokenize;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.warmpath.balancer.prompt.PromptBlocks;
import io.warmpath.balancer.request.PromptParts;

/**
 * A prompt whose tokens an engine may be asked for.
 *
 * @param parts what it is asked; null if nothing, for {@code atOnce} is all that can be known
 * @param key what the prompt is known by
 * @param salt keeps the caches of tenants apart
 * @param atOnce what is known of the prompt without asking
 * @param source where that comes from
 */
public record Question(
    PromptParts parts, HashValue128 key, String salt, PromptBlocks atOnce, TokenSource source) {

  /** What is kept while it is open. */
  int bodyBytes() {
    return parts.body().length;
  }

  @Override
  public String toString() {
    return "Question[" + source + "]";
  }
}
