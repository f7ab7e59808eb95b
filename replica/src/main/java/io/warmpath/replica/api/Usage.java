package io.warmpath.replica.api;

/** What a request cost, as vLLM says it. */
record Usage(int promptTokens, int completionTokens, int cachedTokens) {

  String json() {
    return "{\"prompt_tokens\":"
        + promptTokens
        + ",\"total_tokens\":"
        + (promptTokens + completionTokens)
        + ",\"completion_tokens\":"
        + completionTokens
        + ",\"prompt_tokens_details\":{\"cached_tokens\":"
        + cachedTokens
        + "}}";
  }
}
