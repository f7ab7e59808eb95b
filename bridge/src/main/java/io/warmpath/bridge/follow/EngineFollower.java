package io.warmpath.bridge.follow;

import io.warmpath.bridge.follow.RecentMessages.Verdict;
import io.warmpath.bridge.wire.BatchDecoder;
import io.warmpath.bridge.wire.EngineBatch;
import io.warmpath.bridge.wire.MalformedBatchException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Puts the messages of one publisher in order. What is missing is asked for, and what comes
 * meanwhile waits.
 *
 * <p>Each question begins with the last message that is known: an engine that has not it, or has
 * another one under its number, was started anew, even where its numbers have grown past that. What
 * an engine publishes between connect and subscription stands neither in the answer to the first
 * question nor in the stream, so that it is asked again until something is heard, and once in a
 * while after that. For one thread.
 */
public final class EngineFollower {

  private static final int MAX_WAITING = 1 << 17;
  private static final long MAX_WAITING_BYTES = 128L << 20;

  /** Questions for the same message after which it is given up. */
  private static final int MAX_TRIES = 3;

  private final BatchDecoder decoder = new BatchDecoder();
  private final RecentMessages recent = new RecentMessages();
  private final EngineListener listener;
  private final FollowCounts counts;
  private final ReplaySettings settings;

  /** Null where the engine offers none. */
  private final ReplaySocket replay;

  private final Deque<Message> waiting = new ArrayDeque<>();
  private long waitingBytes;

  private long nextSeq;
  private double lastSeconds = Double.NEGATIVE_INFINITY;
  private boolean heard;

  /** Whether an answer ever held a message: some engines keep none. */
  private boolean replayKeeps;

  private Answer answer;
  private boolean due;
  private long askAgainNanos;
  private long checkNanos;
  private long triedSeq = -1;
  private int tries;

  /** An answer that is being waited for. */
  private static final class Answer {
    private final long fromSeq;
    private long activeNanos;
    private boolean repeated;
    private boolean any;

    /** Whether it is to be asked for again: not all of it came, or not all that waited is kept. */
    private boolean holed;

    Answer(long fromSeq, long nowNanos) {
      this.fromSeq = fromSeq;
      this.activeNanos = nowNanos;
    }
  }

  /**
   * @param replay null where the engine offers none
   */
  public EngineFollower(
      EngineListener listener, FollowCounts counts, ReplaySettings settings, ReplaySocket replay) {
    this.listener = listener;
    this.counts = counts;
    this.settings = settings;
    this.replay = replay;
  }

  /** Asks for what was published before. */
  public void start(long nowNanos) {
    askAgainNanos = nowNanos;
    checkNanos = nowNanos;
    tick(nowNanos);
  }

  /** Whether messages are missing that may still come. */
  public boolean isSuspect() {
    return due || answer != null && !waiting.isEmpty();
  }

  /**
   * The connection was lost: the engine may be another when it is back. Until its answer shows
   * which, what it sends waits.
   */
  public void onDisconnected() {
    heard = false;
    due = replay != null;
  }

  /** A message of the stream. */
  public void onMessage(Message message, long nowNanos) {
    if (!heard && !replayKeeps) {
      // An answer shows now whether it keeps messages. Only if it does, an empty one after the
      // connection was lost means that it was started anew.
      checkNanos = nowNanos;
    }
    heard = true;
    if (!due && (answer == null || !answer.any)) {
      take(message, nowNanos);
    } else {
      await(message);
    }
    tick(nowNanos);
  }

  /** One message that waits is lost when there are too many: it will be asked for. */
  private void await(Message message) {
    if (waiting.size() < MAX_WAITING && waitingBytes < MAX_WAITING_BYTES) {
      waiting.addLast(message);
      waitingBytes += message.payload().length;
    }
  }

  /** A message of an answer. */
  public void onReplayed(Message message, long nowNanos) {
    if (answer == null) {
      return;
    }
    answer.activeNanos = nowNanos;
    boolean first = !answer.any;
    answer.any = true;
    replayKeeps = true;
    if (message.seq() < nextSeq) {
      if (recent.compare(message) == Verdict.OTHER) {
        restartUnheard();
        ask(nowNanos);
      }
    } else if (message.seq() == nextSeq && !(first && answer.fromSeq < nextSeq)) {
      accept(message);
    } else if (first) {
      // What is known is not among what it still has: it may have been started anew since.
      if (nextSeq > 0) {
        restartUnheard();
        answer.holed = true;
      }
      counts.lost.add(message.seq());
      nextSeq = message.seq();
      accept(message);
    } else {
      // The engine could not send all of it.
      answer.holed = true;
    }
  }

  /** An answer is complete. */
  public void onReplayEnd(long nowNanos) {
    if (answer == null) {
      return;
    }
    Answer ended = answer;
    answer = null;
    rest(nowNanos);
    if (!ended.any && nextSeq > 0 && replayKeeps) {
      restartUnheard();
      askAgainNanos = nowNanos;
    } else {
      due = ended.holed;
      drain(nowNanos);
    }
    tick(nowNanos);
  }

  /** Does what it is time for. */
  public void tick(long nowNanos) {
    if (replay == null) {
      return;
    }
    if (answer != null) {
      awaitAnswer(nowNanos);
    } else if (nowNanos - askAgainNanos >= 0 && (due || nowNanos - checkNanos >= 0 || !heard)) {
      ask(nowNanos);
    }
  }

  private void awaitAnswer(long nowNanos) {
    long silentNanos = nowNanos - answer.activeNanos;
    long timeoutNanos = settings.timeout().toNanos();
    if (answer.any && silentNanos >= settings.coolDown().toNanos()) {
      // It was sent at once, and its end is not among what arrived.
      replay.close();
      answer.holed = true;
      onReplayEnd(nowNanos);
    } else if (silentNanos >= timeoutNanos) {
      replay.close();
      answer = null;
      counts.failedReplays.increment();
      rest(nowNanos);
      if (due) {
        giveUpAfterTries(nowNanos);
      } else {
        drain(nowNanos);
      }
    } else if (silentNanos >= timeoutNanos / 2 && !answer.repeated) {
      // It may have gone down with an engine that was ending.
      answer = new Answer(question(), answer.activeNanos);
      answer.repeated = true;
      counts.replays.increment();
      replay.ask(answer.fromSeq);
    }
  }

  private void rest(long nowNanos) {
    askAgainNanos = nowNanos + settings.coolDown().toNanos();
    checkNanos = nowNanos + settings.check().toNanos();
  }

  /** Begins with the last message that is known. */
  private long question() {
    return Math.max(0, nextSeq - 1);
  }

  private void ask(long nowNanos) {
    counts.replays.increment();
    answer = new Answer(question(), nowNanos);
    replay.ask(answer.fromSeq);
  }

  private void drain(long nowNanos) {
    while (!waiting.isEmpty() && answer == null && !due) {
      Message message = waiting.removeFirst();
      waitingBytes -= message.payload().length;
      // An answer may have been of a later start than what waited for it. What is dropped here in
      // error, as the engine's clock was set back, leaves a gap and is asked for.
      if (!(seconds(message) < lastSeconds)) {
        take(message, nowNanos);
      }
    }
  }

  /** Takes the next message of the stream. */
  private void take(Message message, long nowNanos) {
    if (message.seq() < nextSeq) {
      if (isCopy(message)) {
        counts.duplicates.increment();
        return;
      }
      restart();
      if (answer != null) {
        // It was asked of what is over.
        replay.close();
        answer = null;
      }
    }
    if (message.seq() == nextSeq) {
      accept(message);
    } else {
      if (triedSeq != nextSeq) {
        counts.gaps.increment();
      }
      if (replay == null) {
        skipTo(message);
      } else {
        due = true;
        waiting.addFirst(message);
        waitingBytes += message.payload().length;
        giveUpAfterTries(nowNanos);
      }
    }
  }

  /** What was asked for several times and never came does not come any more. */
  private void giveUpAfterTries(long nowNanos) {
    if (waiting.isEmpty()) {
      return;
    }
    tries = triedSeq == nextSeq ? tries + 1 : 0;
    triedSeq = nextSeq;
    if (tries >= MAX_TRIES) {
      due = false;
      Message message = waiting.removeFirst();
      waitingBytes -= message.payload().length;
      if (message.seq() > nextSeq && !(seconds(message) < lastSeconds)) {
        skipTo(message);
      }
      drain(nowNanos);
    }
  }

  private void skipTo(Message message) {
    counts.lost.add(message.seq() - nextSeq);
    nextSeq = message.seq();
    accept(message);
  }

  private boolean isCopy(Message message) {
    Verdict verdict = recent.compare(message);
    if (verdict != Verdict.FORGOTTEN) {
      return verdict == Verdict.SAME;
    }
    return !(seconds(message) > lastSeconds);
  }

  /** When a message was made; no number where it cannot be read. */
  private double seconds(Message message) {
    try {
      return decoder.decode(message.payload()).timeSeconds();
    } catch (MalformedBatchException e) {
      return Double.NaN;
    }
  }

  /**
   * A start of the engine shows in an answer: what waits may be from before, and what is not is
   * among the messages that are asked for next.
   */
  private void restartUnheard() {
    restart();
    waiting.clear();
    waitingBytes = 0;
    due = true;
  }

  private void restart() {
    counts.restarts.increment();
    recent.forget();
    nextSeq = 0;
    lastSeconds = Double.NEGATIVE_INFINITY;
    tries = 0;
    triedSeq = -1;
    listener.onRestart();
  }

  private void accept(Message message) {
    recent.note(message);
    nextSeq = message.seq() + 1;
    counts.messages.increment();
    try {
      EngineBatch batch = decoder.decode(message.payload());
      counts.events.add(batch.events().size());
      counts.malformedEvents.add(batch.malformedEvents());
      counts.unknownEvents.add(batch.unknownEvents());
      counts.unknownFields.add(batch.unknownFields());
      if (batch.timeSeconds() > lastSeconds) {
        lastSeconds = batch.timeSeconds();
      }
      listener.onBatch(batch);
    } catch (MalformedBatchException e) {
      counts.malformedMessages.increment();
    }
  }
}
