package io.warmpath.balancer;

import io.warmpath.balancer.prompt.TokenizerKind;
import io.warmpath.balancer.tokenize.TokenizeSettings;
import java.util.List;

/**
 * A model in the configuration.
 *
 * @param name name that clients ask for
 * @param tokenizer how its prompts are counted
 * @param blockTokens tokens a KV block, as the replicas have them
 * @param replicas where it runs; empty where {@code dns} says so
 * @param dns name that stands for its replicas, or null
 * @param tokenize how the engine is asked for tokens, where the tokenizer is that
 */
public record ModelConfig(
    String name,
    TokenizerKind tokenizer,
    int blockTokens,
    List<ReplicaAddress> replicas,
    DnsReplicas dns,
    TokenizeSettings tokenize) {

  /** Tokens a block where nothing else is configured, as with vLLM. */
  public static final int DEFAULT_BLOCK_TOKENS = 16;

  public ModelConfig {
    replicas = List.copyOf(replicas);
  }

  /** A model whose replicas are listed. */
  public ModelConfig(
      String name, TokenizerKind tokenizer, int blockTokens, List<ReplicaAddress> replicas) {
    this(name, tokenizer, blockTokens, replicas, null);
  }

  /** A model whose engine, if it is asked for tokens, is asked by the default rules. */
  public ModelConfig(
      String name,
      TokenizerKind tokenizer,
      int blockTokens,
      List<ReplicaAddress> replicas,
      DnsReplicas dns) {
    this(name, tokenizer, blockTokens, replicas, dns, TokenizeSettings.DEFAULTS);
  }

  /** A model on modelled replicas, with their tokenizer and default block size. */
  public static ModelConfig modelled(String name, List<ReplicaAddress> replicas) {
    return new ModelConfig(name, TokenizerKind.QUAD, DEFAULT_BLOCK_TOKENS, replicas);
  }
}
