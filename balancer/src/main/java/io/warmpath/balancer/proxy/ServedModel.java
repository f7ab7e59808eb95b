package io.warmpath.balancer.proxy;

import io.warmpath.balancer.decision.ModelRouter;
import io.warmpath.balancer.prompt.PromptEncoder;

/**
 * A model that is served.
 *
 * @param router routes its requests
 * @param encoder reads its prompts
 * @param retries bounds its retries
 */
public record ServedModel(ModelRouter router, PromptEncoder encoder, RetryBudget retries) {}
