package io.warmpath.bridge.follow;

import io.warmpath.bridge.fixture.Frames;
import io.warmpath.bridge.fixture.Frames.Layout;
import io.warmpath.bridge.wire.EngineBatch;
import io.warmpath.bridge.wire.EngineEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An engine, its follower and the time between them, in the hands of a test. */
final class ScriptedEngine implements EngineListener, ReplaySocket {

  static final ReplaySettings SETTINGS =
      new ReplaySettings(Duration.ofSeconds(4), Duration.ofSeconds(1), Duration.ofMinutes(1));

  final FollowCounts counts = new FollowCounts();
  final EngineFollower follower;

  /** What the engine has published since its start. */
  final List<Message> log = new ArrayList<>();

  /** What the follower holds the engine to have done since its start. */
  final List<Long> followed = new ArrayList<>();

  /** Numbers that were asked from and are not answered, oldest first. */
  final List<Long> asked = new ArrayList<>();

  /** Oldest message that the engine still has. */
  int firstKept;

  long nanos;
  private long events;

  ScriptedEngine(boolean replays) {
    follower = new EngineFollower(this, counts, SETTINGS, replays ? this : null);
  }

  /** Something happens in the engine; nobody hears of it yet. */
  Message publish() {
    long event = events++;
    byte[] payload =
        Frames.batch(Layout.ARRAYS, 1 + event, 0, Frames.removed(new long[] {event}, "GPU"));
    Message message = new Message(log.size(), payload);
    log.add(message);
    return message;
  }

  void hear(Message message) {
    follower.onMessage(message, nanos);
  }

  void restart() {
    log.clear();
    firstKept = 0;
  }

  void pass(Duration time) {
    nanos += time.toNanos();
    follower.tick(nanos);
  }

  /** Answers the newest question in full. */
  void answer() {
    long from = asked.remove(asked.size() - 1);
    asked.clear();
    for (Message message : List.copyOf(log)) {
      if (message.seq() >= from && message.seq() >= firstKept) {
        follower.onReplayed(message, nanos);
        if (!asked.isEmpty()) {
          // Another question: the rest of this answer does not come any more.
          return;
        }
      }
    }
    follower.onReplayEnd(nanos);
  }

  /** What is in the engine's log. */
  List<Long> happened() {
    return log.stream().map(message -> events - log.size() + message.seq()).toList();
  }

  @Override
  public void onBatch(EngineBatch batch) {
    followed.add(((EngineEvent.Removed) batch.events().get(0)).hashes()[0]);
  }

  @Override
  public void onRestart() {
    followed.clear();
  }

  @Override
  public void ask(long fromSeq) {
    asked.clear();
    asked.add(fromSeq);
  }

  @Override
  public void close() {
    asked.clear();
  }
}
