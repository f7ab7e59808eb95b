package io.warmpath.balancer.tokenize;

import com.dynatrace.hash4j.hashing.HashValue128;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.warmpath.balancer.metrics.PrometheusText;
import io.warmpath.balancer.prompt.Prompt;
import io.warmpath.balancer.prompt.PromptBlocks;
import io.warmpath.balancer.prompt.PromptEncoder;
import io.warmpath.balancer.request.PromptParts;
import io.warmpath.balancer.request.RequestFacts;
import io.warmpath.balancer.upstream.LoopConnections;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.balancer.upstream.ReplicaHealth;
import io.warmpath.routing.prefix.PrefixHasher;
import io.warmpath.routing.prompt.TokenBuffer;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learns the tokens of a model's prompts from its replicas, chat template included. A prompt that
 * was asked for before is known; any other is asked for, and its request waits for the answer
 * within a limit. Where there is none by then, the request goes on by what is known at once: of a
 * conversation that grew the blocks of its longest part that is known, of another one an
 * approximation. An answer that comes later is remembered for the conversation's next turn.
 *
 * <p>Only what an engine said of exactly this prompt counts as exact. That a template only appends
 * cannot be proved from outside: some move tools to the last message or drop earlier reasoning.
 *
 * <p>Safe for concurrent use.
 */
public final class EngineTokenizer {

  /** Metric that {@link #writeTo} adds samples to. */
  public static final String TOKENIZATIONS = "warmpath_balancer_tokenizations_total";

  private static final Logger LOG = LoggerFactory.getLogger(EngineTokenizer.class);

  private static final long MEMORY_BYTES = 32L << 20;
  private static final int MAX_OPEN = 256;

  /** Bodies are kept until the engine has them. */
  private static final long MAX_OPEN_BYTES = 64L << 20;

  /** How long a question is left open that nobody waits for any more. */
  private static final Duration GIVE_UP_AFTER = Duration.ofSeconds(10);

  /** A template and its tools may add tokens, but hardly more than this. */
  private static final int MORE_TOKENS = 1 << 16;

  /** Bytes of JSON that make about a token. */
  private static final int BYTES_PER_TOKEN = 4;

  private final String model;
  private final Supplier<List<Replica>> replicas;
  private final PromptEncoder encoder;
  private final PrefixHasher hasher;
  private final Duration limit;

  /** Apart, since there are engines that tokenize texts only. */
  private final Patience withChats;

  private final Patience withTexts;

  private final KnownPrompts known = new KnownPrompts(MEMORY_BYTES);
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicLong openBytes = new AtomicLong();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger turn = new AtomicInteger();
  private final Map<TokenSource, LongAdder> counts = new EnumMap<>(TokenSource.class);

  /**
   * @param replicas those of the model
   * @param encoder approximates prompts, and knows the size of blocks
   * @param limit how long a request waits at most
   */
  public EngineTokenizer(
      String model,
      Supplier<List<Replica>> replicas,
      PromptEncoder encoder,
      int blockTokens,
      Duration limit) {
    this.model = model;
    this.replicas = replicas;
    this.encoder = encoder;
    this.hasher = new PrefixHasher(blockTokens);
    this.limit = limit;
    this.withChats = new Patience(limit);
    this.withTexts = new Patience(limit);
    for (TokenSource source : TokenSource.values()) {
      counts.put(source, new LongAdder());
    }
  }

  /** Finds out what is known of a prompt at once; on any thread. */
  public Question question(RequestFacts facts) {
    if (facts.prompt() instanceof Prompt.Tokens) {
      return answered(encoder.encode(facts.prompt(), facts.cacheSalt()), TokenSource.GIVEN);
    }
    PromptParts parts = askable(facts) ? facts.parts() : null;
    if (parts == null) {
      return answered(encoder.encode(facts.prompt(), facts.cacheSalt()), TokenSource.UNSUPPORTED);
    }
    HashValue128[] keys = known.keys(parts, facts.cacheSalt());
    HashValue128 key = keys[keys.length - 1];
    PromptBlocks found = known.get(key);
    if (found != null) {
      return answered(found, TokenSource.KNOWN);
    }
    PromptBlocks grown = grown(parts, keys);
    PromptBlocks atOnce = grown != null ? grown : encoder.encode(facts.prompt(), facts.cacheSalt());
    return new Question(parts, key, facts.cacheSalt(), atOnce, TokenSource.ASKED);
  }

  /** Images are not in the answer, and the engine knows its own model only. */
  private boolean askable(RequestFacts facts) {
    boolean own = facts.model() == null || facts.model().equals(model);
    return own && (!(facts.prompt() instanceof Prompt.Chat chat) || chat.textOnly());
  }

  private static Question answered(PromptBlocks blocks, TokenSource source) {
    return new Question(null, null, null, blocks, source);
  }

  /** The longest part of a conversation that is known, with a guess at the rest; null if none. */
  private PromptBlocks grown(PromptParts parts, HashValue128[] keys) {
    long newBytes = 0;
    for (int i = keys.length - 1; i > 0; i--) {
      newBytes += parts.messages().get(i).length();
      PromptBlocks past = known.get(keys[i - 1]);
      if (past != null) {
        int tokens = past.tokens() + (int) (newBytes / BYTES_PER_TOKEN);
        return new PromptBlocks(past.hashes(), past.blockTokens(), tokens, false);
      }
    }
    return null;
  }

  /**
   * Tells what is known of a prompt, once and within the limit, on the event loop that it is called
   * on.
   *
   * @param authorization the client's header, or null
   */
  public void answer(
      Question question,
      String authorization,
      EventLoop loop,
      LoopConnections connections,
      Consumer<PromptBlocks> then) {
    if (question.parts() == null) {
      tell(question.source(), question.atOnce(), then);
      return;
    }
    Patience patience = question.parts().messages().isEmpty() ? withTexts : withChats;
    Replica replica = patience.asks(System.nanoTime()) ? replica() : null;
    if (replica == null) {
      tell(TokenSource.PAUSED, question.atOnce(), then);
    } else if (!admit(question)) {
      tell(TokenSource.BUSY, question.atOnce(), then);
    } else {
      new Asking(question, patience, replica, loop, then).start(authorization, connections);
    }
  }

  private boolean admit(Question question) {
    boolean admitted =
        open.incrementAndGet() <= MAX_OPEN
            & openBytes.addAndGet(question.bodyBytes()) <= MAX_OPEN_BYTES;
    if (!admitted) {
      over(question);
    }
    return admitted;
  }

  private void over(Question question) {
    open.decrementAndGet();
    openBytes.addAndGet(-question.bodyBytes());
  }

  private void tell(TokenSource source, PromptBlocks blocks, Consumer<PromptBlocks> then) {
    counts.get(source).increment();
    then.accept(blocks);
  }

  /** One after the other, so that one which hangs is not asked again and again; null if none. */
  private Replica replica() {
    List<Replica> all = replicas.get();
    int first = turn.getAndIncrement();
    for (int i = 0; i < all.size(); i++) {
      Replica replica = all.get(Math.floorMod(first + i, all.size()));
      if (replica.health().state() == ReplicaHealth.State.UP) {
        return replica;
      }
    }
    return null;
  }

  /** Requests that wait to be told. */
  public int waiting() {
    return waiting.get();
  }

  /** Adds the samples of {@link #TOKENIZATIONS}. */
  public void writeTo(PrometheusText text) {
    counts.forEach(
        (source, count) ->
            text.sample(TOKENIZATIONS, count.sum(), "model", model, "source", source.label()));
  }

  /** One question on its way, on its event loop. */
  private final class Asking {

    private final Question question;
    private final Patience patience;
    private final Replica replica;
    private final EventLoop loop;
    private final int bytes;
    private final long startNanos = System.nanoTime();

    /** Null once it was told. */
    private Consumer<PromptBlocks> then;

    private Future<?> limitTask;
    private Future<?> giveUpTask;

    Asking(
        Question question,
        Patience patience,
        Replica replica,
        EventLoop loop,
        Consumer<PromptBlocks> then) {
      this.question = question;
      this.patience = patience;
      this.replica = replica;
      this.loop = loop;
      this.bytes = question.parts().length();
      this.then = then;
    }

    void start(String authorization, LoopConnections connections) {
      waiting.incrementAndGet();
      TokenizeCall call;
      try {
        long most = 2L * bytes + MORE_TOKENS;
        call =
            new TokenizeCall(
                connections,
                replica,
                question.parts(),
                authorization,
                new TokenizeAnswer((int) Math.min(Integer.MAX_VALUE, most)),
                this::answered,
                this::failed);
      } catch (IOException e) {
        failed(new TokenizeCall.Failure("the question could not be made", true));
        return;
      }
      if (patience.waits(bytes)) {
        limitTask = loop.schedule(this::late, limit.toNanos(), TimeUnit.NANOSECONDS);
      }
      giveUpTask =
          loop.schedule(call::cancel, limit.plus(GIVE_UP_AFTER).toNanos(), TimeUnit.NANOSECONDS);
      try {
        call.start();
      } finally {
        if (limitTask == null) {
          told(TokenSource.NOT_AWAITED, question.atOnce());
        }
      }
    }

    private void late() {
      patience.late(bytes);
      told(TokenSource.LATE, question.atOnce());
    }

    private void answered(TokenBuffer tokens) {
      over();
      patience.answered(bytes, System.nanoTime() - startNanos);
      PromptBlocks exact;
      try {
        long root = PrefixHasher.root(question.salt(), "");
        long[] hashes = hasher.hash(root, tokens.array(), 0, tokens.size());
        exact = new PromptBlocks(hashes, hasher.blockTokens(), tokens.size(), true);
        known.put(question.key(), exact);
      } catch (RuntimeException | Error e) {
        // Short of memory, say: the request must not wait for tokens that nobody brings any more.
        told(TokenSource.FAILED, question.atOnce());
        throw e;
      }
      told(TokenSource.ASKED, exact);
    }

    private void failed(TokenizeCall.Failure failure) {
      over();
      long now = System.nanoTime();
      if (failure.engine() ? patience.failed(now) : patience.refused(now)) {
        LOG.warn(
            "{}: {} does not say the tokens of prompts ({}), asking again in a while",
            model,
            replica.name(),
            failure.reason());
      }
      told(TokenSource.FAILED, question.atOnce());
    }

    private void over() {
      EngineTokenizer.this.over(question);
      cancel(limitTask);
      cancel(giveUpTask);
    }

    private static void cancel(Future<?> task) {
      if (task != null) {
        task.cancel(false);
      }
    }

    private void told(TokenSource source, PromptBlocks blocks) {
      Consumer<PromptBlocks> request = then;
      if (request != null) {
        then = null;
        try {
          tell(source, blocks, request);
        } finally {
          waiting.decrementAndGet();
        }
      }
    }
  }
}
