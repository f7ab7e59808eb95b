package io.warmpath.balancer.request;

import io.warmpath.balancer.prompt.Prompt;

/**
 * What routing needs to know of a request.
 *
 * @param model model asked for, or null
 * @param stream whether the client wants a stream
 * @param prompt what it wants answered
 * @param user value of {@code user}, or null
 * @param firstUserText first message of the user in a chat, or null
 * @param maxTokens bound on the answer, or null
 * @param cacheSalt value of {@code cache_salt}, empty if there is none
 * @param usageEdit what makes the engine report usage in a stream; {@link BodyEdit#NONE} if the
 *     client asked for that itself or nothing streams
 * @param parts of which an engine makes the prompt; null if they were not looked for, or an engine
 *     that is asked for tokens would not see all of it
 */
public record RequestFacts(
    String model,
    boolean stream,
    Prompt prompt,
    String user,
    String firstUserText,
    Long maxTokens,
    String cacheSalt,
    BodyEdit usageEdit,
    PromptParts parts) {

  @Override
  public String toString() {
    return "RequestFacts[model=" + model + ", stream=" + stream + "]";
  }
}
