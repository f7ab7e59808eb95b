package io.warmpath.balancer.proxy;

import io.warmpath.balancer.decision.ModelRouter;
import io.warmpath.balancer.prompt.PromptEncoder;
import io.warmpath.balancer.tokenize.EngineTokenizer;
import io.warmpath.balancer.tokenize.TokenizerWatch;

/**
 * A model that is served.
 *
 * @param router routes its requests
 * @param encoder reads its prompts without asking anybody
 * @param engine asks its replicas for the tokens of prompts; null if they are not asked
 * @param watch compares what engine and balancer make of prompts
 * @param retries bounds its retries
 */
public record ServedModel(
    ModelRouter router,
    PromptEncoder encoder,
    EngineTokenizer engine,
    TokenizerWatch watch,
    RetryBudget retries) {}
