package io.warmpath.replica.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Continuous batching, after vLLM's V1 scheduler: each step computes at most {@code tokenBudget}
 * tokens, those of running sequences first, in order of admission; long prompts go in chunks; where
 * KV blocks run short, the youngest running sequence is preempted and computed again later. The
 * oldest is never preempted by others, so that every sequence ends.
 *
 * <p>The caller owns time. It asks {@link #nextStepUs} when a step can start, calls {@link
 * #startStep} then, and {@link #finishStep} at the time that this returned. Sequences may be
 * submitted and aborted at any moment, also during a step. An idle engine needs no call at all.
 */
public final class BatchEngine {

  /** The time of a step that no sequence waits for. */
  public static final long NEVER = Long.MAX_VALUE;

  private final EngineProfile profile;
  private final KvCache cache;

  /** Null where steps are modelled. */
  private final StepExecutor executor;

  private final ArrayDeque<Sequence> waiting = new ArrayDeque<>();
  private final StepLoad load = new StepLoad();

  /** In order of admission. Aborted ones may stand in it while a step finishes. */
  private Sequence[] batch = new Sequence[16];

  private int batchSize;
  private int running;
  private int budget;
  private boolean stepping;
  private boolean finishing;
  private long stepStartUs;
  private long stepEndUs;
  private long stalledUntilUs;
  private final SpeedCourse speed = new SpeedCourse();

  private long queriedTokens;
  private long hitTokens;
  private long preemptions;

  /** An idle engine, modelled. The cache belongs to it from now on. */
  public BatchEngine(EngineProfile profile, KvCache cache) {
    this(profile, cache, null);
  }

  /**
   * An idle engine whose steps are computed.
   *
   * @param profile of which the times of a step are not used
   * @param cache belongs to it from now on
   * @param executor computes the steps, within {@link #startStep}; null to model them
   */
  public BatchEngine(EngineProfile profile, KvCache cache, StepExecutor executor) {
    this.profile = Objects.requireNonNull(profile, "profile");
    this.cache = Objects.requireNonNull(cache, "cache");
    this.executor = executor;
  }

  public EngineProfile profile() {
    return profile;
  }

  public KvCache cache() {
    return cache;
  }

  /** Whether its steps are modelled, and not computed. */
  public boolean modelled() {
    return executor == null;
  }

  /**
   * Queues a sequence. Its first step starts {@code requestOverheadUs} after {@code nowUs} at the
   * earliest.
   *
   * @param nowUs not before the time of the submission before it
   * @throws IllegalArgumentException if the KV cache could not hold it even alone
   * @throws IllegalStateException if it was submitted before
   */
  public void submit(Sequence sequence, long nowUs) {
    if (sequence.state != Sequence.State.NEW) {
      throw new IllegalStateException("sequence " + sequence.requestId() + " was submitted before");
    }
    requireFits(sequence.promptTokens(), sequence.outputTokens());
    sequence.state = Sequence.State.WAITING;
    sequence.readyUs = nowUs + profile.requestOverheadUs();
    waiting.addLast(sequence);
  }

  /**
   * Checks a request's size.
   *
   * @throws IllegalArgumentException if the KV cache could not hold it even alone
   */
  public void requireFits(long promptTokens, long outputTokens) {
    long capacity = (long) cache.totalBlocks() * cache.blockTokens();
    // The last token is never computed, so it needs no room; but a model's length counts it.
    if (promptTokens + outputTokens > capacity) {
      throw new IllegalArgumentException(
          "a prompt of "
              + promptTokens
              + " tokens and an answer of "
              + outputTokens
              + " are "
              + (promptTokens + outputTokens)
              + " tokens; the KV cache holds "
              + capacity);
    }
  }

  /**
   * Drops a sequence, whatever its state; its listener hears no more. A step that is under way
   * takes its time all the same.
   */
  public void abort(Sequence sequence) {
    switch (sequence.state) {
      case WAITING -> waiting.remove(sequence);
      case RUNNING -> {
        cache.release(sequence);
        running--;
        if (!finishing) {
          removeFromBatch(sequence);
        }
      }
      case NEW, FINISHED, ABORTED -> {
        // Nothing to give back.
      }
    }
    if (sequence.state != Sequence.State.FINISHED) {
      sequence.state = Sequence.State.ABORTED;
    }
  }

  /** Whether no sequence waits or runs. */
  public boolean idle() {
    return running == 0 && waiting.isEmpty();
  }

  /** Sequences in the batch. */
  public int running() {
    return running;
  }

  /** Sequences that wait, those within their request overhead among them. */
  public int waiting() {
    return waiting.size();
  }

  /** Whether a step was started and not finished. */
  public boolean stepping() {
    return stepping;
  }

  /**
   * When the next step can start: {@code nowUs}, or the time when the first waiting sequence is
   * ready or a stall ends, or {@link #NEVER} if the engine is idle.
   */
  public long nextStepUs(long nowUs) {
    long canUs = Math.max(nowUs, stalledUntilUs);
    if (running > 0) {
      return canUs;
    }
    Sequence head = waiting.peekFirst();
    return head == null ? NEVER : Math.max(canUs, head.readyUs);
  }

  /**
   * Forms the batch of the next step.
   *
   * @return when the step ends
   * @throws IllegalStateException if a step is under way, or none can start yet (see {@link
   *     #nextStepUs})
   */
  public long startStep(long nowUs) {
    if (stepping || nextStepUs(nowUs) > nowUs) {
      throw new IllegalStateException(
          stepping ? "a step is under way" : "no step can start at " + nowUs + " µs");
    }
    stepping = true;
    stepStartUs = nowUs;
    budget = profile.tokenBudget();
    load.clear();
    if (scheduleRunning()) {
      admitWaiting();
    }
    stepEndUs = nowUs + stepUs(speed.at(nowUs));
    return stepEndUs;
  }

  private long stepUs(double factor) {
    return executor == null
        ? Math.max(1, Math.round(load.us(profile) / factor))
        : executor.run(scheduled(), factor);
  }

  private List<Sequence> scheduled() {
    List<Sequence> scheduled = new ArrayList<>(batchSize);
    for (int i = 0; i < batchSize; i++) {
      if (batch[i].scheduledTokens > 0) {
        scheduled.add(batch[i]);
      }
    }
    return scheduled;
  }

  /** End of the step under way, as {@link #startStep} returned it. */
  public long stepEndUs() {
    return stepEndUs;
  }

  /**
   * Ends the step under way: sequences advance and listeners hear of it.
   *
   * @throws IllegalStateException if no step is under way
   */
  public void finishStep() {
    if (!stepping) {
      throw new IllegalStateException("no step is under way");
    }
    finishing = true;
    for (int i = 0; i < batchSize; i++) {
      if (batch[i].state == Sequence.State.RUNNING) {
        advance(batch[i]);
      }
    }
    dropEnded();
    finishing = false;
    stepping = false;
  }

  /**
   * Makes the following steps faster or slower.
   *
   * @param factor 1 = as the profile says, 0.5 = half as fast
   */
  public void setSpeed(double factor) {
    speed.set(factor);
  }

  /**
   * Makes steps faster or slower bit by bit: from the speed at {@code fromUs}, in a straight line.
   *
   * @param factor speed from {@code untilUs} on
   */
  public void driftSpeed(double factor, long fromUs, long untilUs) {
    speed.drift(factor, fromUs, untilUs);
  }

  /** Lets no step start before then. One that is under way ends as it would have. */
  public void stallUntil(long untilUs) {
    stalledUntilUs = untilUs;
  }

  /** Prompt tokens of all sequences admitted so far, each counted once. */
  public long queriedTokens() {
    return queriedTokens;
  }

  /** Of them, tokens taken from the cache. */
  public long hitTokens() {
    return hitTokens;
  }

  /** How often a sequence lost its place to an older one. */
  public long preemptions() {
    return preemptions;
  }

  /**
   * Schedules the batch, oldest first.
   *
   * @return whether new sequences may join: not where one had to leave
   */
  private boolean scheduleRunning() {
    boolean roomForMore = true;
    for (int i = 0; i < batchSize; i++) {
      Sequence sequence = batch[i];
      int tokens = Math.min(sequence.knownTokens() - sequence.computedTokens, budget);
      while (tokens > 0 && !cache.grow(sequence, tokens)) {
        roomForMore = false;
        Sequence youngest = batch[batchSize - 1];
        preempt(youngest);
        if (youngest == sequence) {
          return false;
        }
      }
      schedule(sequence, tokens);
    }
    return roomForMore;
  }

  private void admitWaiting() {
    while (budget > 0 && batchSize < profile.maxSequences()) {
      Sequence head = waiting.peekFirst();
      if (head == null || head.readyUs > stepStartUs) {
        return;
      }
      // The last token is always computed: its output is what the next one is sampled from.
      int blockTokens = cache.blockTokens();
      int limit = Math.min((head.knownTokens() - 1) / blockTokens, head.blockHashes.length);
      int cachedBlocks = cache.cachedPrefix(head.blockHashes, limit);
      int cachedTokens = cachedBlocks * blockTokens;
      int tokens = Math.min(head.knownTokens() - cachedTokens, budget);
      if (!cache.admit(head, cachedBlocks, tokens)) {
        return;
      }
      waiting.removeFirst();
      if (!head.wasAdmitted()) {
        queriedTokens += head.promptTokens();
        hitTokens += cachedTokens;
      }
      head.admitted(cachedTokens, stepStartUs);
      running++;
      addToBatch(head);
      schedule(head, tokens);
    }
  }

  private void schedule(Sequence sequence, int tokens) {
    sequence.scheduledTokens = tokens;
    if (tokens == 0) {
      return;
    }
    budget -= tokens;
    if (sequence.decoding()) {
      load.decode(sequence.computedTokens + 1);
    } else {
      load.prefill(sequence.computedTokens, tokens);
    }
    // At once, not at the end: the same forward pass writes a block before another one reads it.
    cache.register(sequence, sequence.computedTokens + tokens);
  }

  private void preempt(Sequence youngest) {
    batch[--batchSize] = null;
    running--;
    cache.release(youngest);
    youngest.state = Sequence.State.WAITING;
    youngest.computedTokens = 0;
    youngest.scheduledTokens = 0;
    waiting.addFirst(youngest);
    preemptions++;
  }

  private void advance(Sequence sequence) {
    if (sequence.scheduledTokens == 0) {
      return;
    }
    sequence.computedTokens += sequence.scheduledTokens;
    sequence.scheduledTokens = 0;
    if (sequence.computedTokens < sequence.knownTokens()) {
      return;
    }
    int index = sequence.generatedTokens++;
    if (index == 0) {
      sequence.listener.onFirstToken(stepEndUs);
    }
    if (sequence.state == Sequence.State.RUNNING) {
      sequence.listener.onToken(index, stepEndUs);
    }
    if (sequence.state == Sequence.State.RUNNING
        && sequence.generatedTokens == sequence.outputTokens()) {
      sequence.state = Sequence.State.FINISHED;
      running--;
      cache.release(sequence);
      sequence.listener.onFinished(stepEndUs);
    }
  }

  private void addToBatch(Sequence sequence) {
    if (batchSize == batch.length) {
      batch = Arrays.copyOf(batch, 2 * batchSize);
    }
    batch[batchSize++] = sequence;
  }

  private void removeFromBatch(Sequence sequence) {
    int at = 0;
    while (batch[at] != sequence) {
      at++;
    }
    batchSize--;
    System.arraycopy(batch, at + 1, batch, at, batchSize - at);
    batch[batchSize] = null;
  }

  private void dropEnded() {
    if (running == batchSize) {
      return;
    }
    int kept = 0;
    for (int i = 0; i < batchSize; i++) {
      if (batch[i].state == Sequence.State.RUNNING) {
        batch[kept++] = batch[i];
      }
    }
    Arrays.fill(batch, kept, batchSize, null);
    batchSize = kept;
  }
}
