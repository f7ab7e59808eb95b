package io.warmpath.jobs.shadow;

import io.warmpath.routing.prompt.ContentHash;
import io.warmpath.routing.shadow.ShadowModel;
import io.warmpath.routing.shadow.ShadowSettings;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.Routed;
import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.weights.RoutingWeights;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * A model's shadows and the events that wait for them, in order of event time. After an hour of it
 * without an event they begin anew: so it makes no difference whether they were let go meanwhile.
 */
final class ModelShadows {

  /** What was known of a model for so long without an event, in event time, is forgotten. */
  static final long FORGET_AFTER_MS = 3_600_000;

  /** Weights may come behind the watermark, and still belong to what was known before. */
  static final long FORGET_MARGIN_MS = 600_000;

  private final String model;
  private final ShadowSettings settings;
  private final PriorityQueue<Waiting> waiting = new PriorityQueue<>();
  private ShadowModel shadows;
  private Long lastEventMs;

  ModelShadows(String model, ShadowSettings settings) {
    this.model = model;
    this.settings = settings;
    shadows = new ShadowModel(model, settings);
  }

  /** Time of the last event that was played, epoch milliseconds; null where none is known of. */
  Long lastEventMs() {
    return lastEventMs;
  }

  /** Whether no event can come any more that would find them as they are. */
  boolean areGoneBy(long watermarkMs) {
    return waiting.isEmpty() && watermarkMs - FORGET_AFTER_MS - FORGET_MARGIN_MS > lastEventMs;
  }

  void add(Waiting event) {
    waiting.add(event);
  }

  int waiting() {
    return waiting.size();
  }

  /** Plays the oldest event though the watermark has not passed it. */
  void playOldest(Consumer<ShadowStats> out) {
    play(waiting.remove(), out);
  }

  /** Plays what happened up to a time, and ends the window if that is over. */
  void playUpTo(long timeMs, Consumer<ShadowStats> out) {
    while (!waiting.isEmpty() && waiting.element().timeMs() <= timeMs) {
      play(waiting.remove(), out);
    }
    shadows.closeUpTo(timeMs == Long.MAX_VALUE ? timeMs : timeMs + 1).forEach(out);
    if (lastEventMs == null) {
      // Restored from state that did not hold it.
      lastEventMs = timeMs;
    }
  }

  private void play(Waiting event, Consumer<ShadowStats> out) {
    shadows.closeUpTo(event.timeMs()).forEach(out);
    if (lastEventMs != null && event.timeMs() - FORGET_AFTER_MS > lastEventMs) {
      shadows = new ShadowModel(model, settings);
    }
    lastEventMs = lastEventMs == null ? event.timeMs() : Math.max(lastEventMs, event.timeMs());
    if (event.record() instanceof Routed routed) {
      String session = routed.context().session();
      shadows.route(
          event.timeMs(),
          event.fingerprint(),
          routed.context().replica(),
          routed.facts().promptTokens(),
          routed.prefix(),
          session == null ? 0 : ContentHash.of(session));
    } else if (event.record() instanceof Finished finished) {
      long decodeUs = Math.max(0, finished.e2eUs() - finished.ttftUs());
      shadows.answered(finished.outputTokens(), decodeUs);
    } else if (event.record() instanceof RoutingWeights weights) {
      shadows.publish(weights);
    }
  }

  byte[] toBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(waiting.size());
    for (Waiting event : waiting) {
      event.writeTo(out);
    }
    shadows.writeTo(out);
    return bytes.toByteArray();
  }

  /**
   * The shadows that {@link #toBytes} wrote.
   *
   * @param lastEventMs as {@link #lastEventMs()} gave it
   */
  static ModelShadows of(byte[] bytes, Long lastEventMs, String model, ShadowSettings settings)
      throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    ModelShadows restored = new ModelShadows(model, settings);
    int events = in.readInt();
    for (int i = 0; i < events; i++) {
      restored.add(Waiting.readFrom(in));
    }
    restored.lastEventMs = lastEventMs;
    restored.shadows = ShadowModel.readFrom(in, model, settings);
    return restored;
  }
}
