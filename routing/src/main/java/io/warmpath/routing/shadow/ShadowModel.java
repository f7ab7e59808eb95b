package io.warmpath.routing.shadow;

import io.warmpath.routing.cache.BlockCache;
import io.warmpath.schemas.request.PrefixSample;
import io.warmpath.schemas.stats.ShadowStats;
import io.warmpath.schemas.weights.RoutingWeights;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * All shadows of one model: what each policy would give on the requests that it is told of, in
 * order of their time. Nothing depends on a clock; equal calls give equal results, also across
 * {@link #writeTo} and {@link #readFrom}. Not safe for concurrent use.
 *
 * <p>Memory is bounded: policies × capacity factors × replicas × sampled blocks of a cache, at most
 * {@link ShadowReplica#MAX_OPEN} open requests a simulated replica and {@link #REMEMBERED} known
 * requests.
 */
public final class ShadowModel {

  /** Requests that are known again when a copy of them comes. */
  static final int REMEMBERED = 1 << 15;

  private static final byte FORMAT = 2;
  private static final long NONE = -1;

  private final String model;
  private final ShadowSettings settings;
  private final ReplicaSlots slots = new ReplicaSlots();
  private final OutputExpectation output = new OutputExpectation();
  private final BlockCache known = new BlockCache(REMEMBERED);
  private final List<ShadowPolicy> policies = new ArrayList<>();

  private long windowEndMs = NONE;
  private long requests;
  private long promptTokens;

  /** Shadows with empty caches. */
  public ShadowModel(String model, ShadowSettings settings) {
    this.model = model;
    this.settings = settings;
    for (String policy : settings.policies()) {
      policies.add(new ShadowPolicy(policy, settings, slots));
    }
  }

  /**
   * Ends the window if its time is over: nothing before {@code timeMs} is to come.
   *
   * @return its rows, one a policy in the order of the settings; none if it goes on or is empty
   */
  public List<ShadowStats> closeUpTo(long timeMs) {
    if (windowEndMs == NONE || timeMs < windowEndMs) {
      return List.of();
    }
    List<ShadowStats> rows = new ArrayList<>();
    for (ShadowPolicy policy : policies) {
      rows.add(
          new ShadowStats(
              windowEndMs - settings.windowMs(),
              windowEndMs,
              model,
              policy.name(),
              settings.rate().share(),
              requests,
              promptTokens,
              policy.capacities(promptTokens)));
      policy.beginWindow();
    }
    windowEndMs = NONE;
    requests = 0;
    promptTokens = 0;
    return rows;
  }

  /** Takes published weights over, unless newer ones are in force. */
  public void publish(RoutingWeights weights) {
    slots.publish(weights);
  }

  /**
   * Learns from an answer that ended.
   *
   * @param outputTokens its length
   * @param decodeMicros from its first token to its end, µs
   */
  public void answered(long outputTokens, long decodeMicros) {
    output.learn(outputTokens, decodeMicros);
  }

  /**
   * Plays a request, unless it is a copy of one that was played. Windows that end before it must be
   * closed.
   *
   * @param timeMs when it was routed
   * @param request 64-bit fingerprint of its id
   * @param replica the real replica that took it
   * @param tokens length of its prompt
   * @param sample its blocks, which {@link SampledPrompt#covers} the rate
   * @param session hash of its session, 0 for none
   * @return false if it was a copy
   */
  public boolean route(
      long timeMs, long request, String replica, long tokens, PrefixSample sample, long session) {
    if (known.contains(request)) {
      return false;
    }
    known.touch(request);
    slots.saw(replica, timeMs);
    SampledPrompt prompt = SampledPrompt.of(tokens, sample, settings.rate());
    play(
        new ShadowRequest(1_000 * timeMs, prompt, session, output.tokens(), output.decodeMicros()));
    return true;
  }

  /** Plays a request of which everything is known. */
  void play(ShadowRequest request) {
    long timeMs = request.timeMicros() / 1_000;
    if (windowEndMs == NONE) {
      windowEndMs = (timeMs / settings.windowMs() + 1) * settings.windowMs();
    }
    requests++;
    promptTokens += request.prompt().tokens();
    for (ShadowPolicy policy : policies) {
      policy.route(request);
    }
  }

  /** Writes all that the shadows hold. */
  public void writeTo(DataOutput out) throws IOException {
    out.writeByte(FORMAT);
    out.writeUTF(settings.toString());
    slots.writeTo(out);
    output.writeTo(out);
    long[] ids = known.idsOldestFirst();
    out.writeInt(ids.length);
    for (long id : ids) {
      out.writeLong(id);
    }
    out.writeLong(windowEndMs);
    out.writeLong(requests);
    out.writeLong(promptTokens);
    for (ShadowPolicy policy : policies) {
      policy.writeTo(out);
    }
  }

  /**
   * The shadows that {@link #writeTo} wrote. Under other settings than they were written with they
   * begin anew, with what is known of replicas and requests.
   *
   * @throws IOException if the bytes are none, or end early
   */
  public static ShadowModel readFrom(DataInput in, String model, ShadowSettings settings)
      throws IOException {
    int format = in.readByte();
    if (format != FORMAT) {
      throw new IOException("unknown format of shadows: " + format);
    }
    boolean same = in.readUTF().equals(settings.toString());
    ShadowModel shadows = new ShadowModel(model, settings);
    shadows.slots.readFrom(in);
    shadows.output.readFrom(in);
    int ids = in.readInt();
    for (int i = 0; i < ids; i++) {
      shadows.known.touch(in.readLong());
    }
    if (same) {
      shadows.windowEndMs = in.readLong();
      shadows.requests = in.readLong();
      shadows.promptTokens = in.readLong();
      for (ShadowPolicy policy : shadows.policies) {
        policy.readFrom(in);
      }
    }
    return shadows;
  }
}
