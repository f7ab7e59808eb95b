package io.warmpath.replica.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * vLLM's scheduler over its block manager in the plainest words, to compare {@link BatchEngine}
 * with: no hashes (a block's content is named by all tokens up to its end), no arrays, no reuse.
 */
final class SlowEngine {

  /** One request. */
  static final class Request {
    final String name;
    final List<Integer> tokens;
    final int prompt;
    final int output;
    int computed;
    int scheduled;
    int generated;

    /** Prompt tokens found at the first admission, or null before. */
    Integer cached;

    /**
     * @param tokens prompt and answer
     */
    Request(String name, List<Integer> tokens, int prompt) {
      this.name = name;
      this.tokens = List.copyOf(tokens);
      this.prompt = prompt;
      this.output = tokens.size() - prompt;
    }

    int known() {
      return prompt + generated;
    }

    /** For each full block, all tokens up to its end. */
    List<List<Integer>> prefixes(int blockTokens) {
      List<List<Integer>> prefixes = new ArrayList<>();
      for (int end = blockTokens; end <= tokens.size(); end += blockTokens) {
        prefixes.add(tokens.subList(0, end));
      }
      return prefixes;
    }
  }

  final SlowCache cache;
  final List<Request> waiting = new ArrayList<>();
  final List<Request> running = new ArrayList<>();
  final List<String> preempted = new ArrayList<>();
  long queriedTokens;
  long hitTokens;
  private final int blockTokens;
  private final int tokenBudget;
  private final int maxSequences;
  private int budget;

  SlowEngine(EngineProfile profile) {
    cache = new SlowCache(profile.kvBlocks(), profile.blockTokens());
    blockTokens = profile.blockTokens();
    tokenBudget = profile.tokenBudget();
    maxSequences = profile.maxSequences();
  }

  void abort(Request request) {
    waiting.remove(request);
    if (running.remove(request)) {
      cache.release(request);
    }
  }

  void startStep() {
    budget = tokenBudget;
    int preemptedBefore = preempted.size();
    for (int i = 0; i < running.size() && budget > 0; i++) {
      Request request = running.get(i);
      int tokens = Math.min(request.known() - request.computed, budget);
      if (!makeRoom(request, request.computed + tokens)) {
        break;
      }
      schedule(request, tokens);
    }
    while (preempted.size() == preemptedBefore
        && !waiting.isEmpty()
        && budget > 0
        && running.size() < maxSequences) {
      if (!admit(waiting.get(0))) {
        break;
      }
    }
  }

  /** Preempts the youngest until there is room; it may be the request itself. */
  private boolean makeRoom(Request request, int tokens) {
    while (!cache.grow(request, tokens)) {
      Request youngest = running.remove(running.size() - 1);
      cache.release(youngest);
      youngest.computed = 0;
      waiting.add(0, youngest);
      preempted.add(youngest.name);
      if (youngest == request) {
        return false;
      }
    }
    return true;
  }

  private boolean admit(Request request) {
    List<List<Integer>> prefixes = request.prefixes(blockTokens);
    // The last token is always computed.
    int cachedBlocks = cache.cachedPrefix(prefixes, (request.known() - 1) / blockTokens);
    int cachedTokens = cachedBlocks * blockTokens;
    int tokens = Math.min(request.known() - cachedTokens, budget);
    if (!cache.admit(request, prefixes, cachedBlocks, tokens)) {
      return false;
    }
    waiting.remove(0);
    running.add(request);
    request.computed = cachedTokens;
    if (request.cached == null) {
      request.cached = cachedTokens;
      queriedTokens += request.prompt;
      hitTokens += cachedTokens;
    }
    schedule(request, tokens);
    return true;
  }

  private void schedule(Request request, int tokens) {
    budget -= tokens;
    request.scheduled = tokens;
    cache.register(request, request.prefixes(blockTokens), request.computed + tokens);
  }

  void finishStep() {
    for (Request request : List.copyOf(running)) {
      boolean samples =
          request.scheduled > 0 && request.computed + request.scheduled == request.known();
      request.computed += request.scheduled;
      request.scheduled = 0;
      if (samples && ++request.generated == request.output) {
        running.remove(request);
        cache.release(request);
      }
    }
  }
}
