package io.warmpath.routing.shadow;

import io.warmpath.routing.control.ControlConfig;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The real replicas that each shadow fleet is a copy of, and what is published of their speed. A
 * replica keeps its number while it is there; a new one takes the first number that is free.
 */
final class ReplicaSlots {

  /** Replicas beyond this are not shadowed. */
  static final int MAX_SLOTS = 1_024;

  /** Nor are those with longer names, in characters: no replica is called so. */
  static final int MAX_NAME = 1_024;

  /** A replica that no weights list and no request has seen for so long is gone. */
  private static final long MEMORY_MS = 60_000;

  private static final double EQUAL_WEIGHT = 1;
  private static final double EQUAL_MICROS_PER_TOKEN = 1;

  /** Prefill speed as long as nothing is learned; only orders of magnitude matter then. */
  private static final double UNLEARNED_MICROS_PER_TOKEN = 50;

  private static final class Slot {
    String name;
    boolean present = true;
    int generation;
    long seenMs;
    boolean listed;
    double weight = EQUAL_WEIGHT;
    double interceptMicros;
    double microsPerToken;

    Slot(String name) {
      this.name = name;
    }
  }

  private final List<Slot> slots = new ArrayList<>();
  private long epoch = -1;
  private long validUntilMs = -1;
  private double backlogShare;
  private double meanInterceptMicros;
  private double meanMicrosPerToken;

  int size() {
    return slots.size();
  }

  boolean isPresent(int slot) {
    return slots.get(slot).present;
  }

  /** Changes when a number stands for another replica than before, or for one that came back. */
  int generation(int slot) {
    return slots.get(slot).generation;
  }

  /** Notes that a replica took a request. */
  void saw(String name, long timeMs) {
    Slot slot = slotOf(name);
    if (slot != null) {
      slot.seenMs = Math.max(slot.seenMs, timeMs);
    }
  }

  /** The number of a replica, given to it if it has none; null if it gets none. */
  private Slot slotOf(String name) {
    if (name.length() > MAX_NAME) {
      return null;
    }
    Slot vacant = null;
    for (Slot slot : slots) {
      if (slot.name.equals(name)) {
        return slot.present ? slot : moveIn(slot, name);
      }
      if (vacant == null && !slot.present) {
        vacant = slot;
      }
    }
    if (vacant != null) {
      return moveIn(vacant, name);
    }
    if (slots.size() == MAX_SLOTS) {
      return null;
    }
    Slot added = new Slot(name);
    slots.add(added);
    return added;
  }

  private static Slot moveIn(Slot slot, String name) {
    slot.name = name;
    slot.present = true;
    slot.generation++;
    slot.seenMs = 0;
    slot.listed = false;
    return slot;
  }

  /** Takes weights over if they are newer than those in force. */
  void publish(RoutingWeights weights) {
    if (weights.epoch() <= epoch) {
      return;
    }
    epoch = weights.epoch();
    validUntilMs = weights.validUntilMs();
    backlogShare = weights.backlogShare();
    slots.forEach(slot -> slot.listed = false);
    double intercepts = 0;
    double slopes = 0;
    for (ReplicaWeight each : weights.replicas()) {
      Slot slot = slotOf(each.replica());
      if (slot != null) {
        slot.listed = true;
        slot.weight = each.weight();
        slot.interceptMicros = each.interceptUs();
        slot.microsPerToken = each.usPerToken();
        slot.seenMs = Math.max(slot.seenMs, weights.windowEndMs());
      }
      intercepts += each.interceptUs();
      slopes += each.usPerToken();
    }
    if (!weights.replicas().isEmpty()) {
      meanInterceptMicros = intercepts / weights.replicas().size();
      meanMicrosPerToken = slopes / weights.replicas().size();
      slots.forEach(slot -> slot.present &= slot.seenMs >= weights.windowEndMs() - MEMORY_MS);
    }
  }

  /** Whether any speed was ever published: without one, no time can be predicted. */
  boolean isLearned() {
    return meanMicrosPerToken > 0;
  }

  // What a balancer goes by: equal values without a valid lease.

  double weight(int slot, long nowMs) {
    return isValid(nowMs) && slots.get(slot).listed ? slots.get(slot).weight : EQUAL_WEIGHT;
  }

  double interceptMicros(int slot, long nowMs) {
    return isValid(nowMs) ? serviceIntercept(slot) : 0;
  }

  double microsPerToken(int slot, long nowMs) {
    return isValid(nowMs) ? servicePerToken(slot) : EQUAL_MICROS_PER_TOKEN;
  }

  double backlogShare(long nowMs) {
    return isValid(nowMs) ? backlogShare : ControlConfig.DEFAULT_BACKLOG_SHARE;
  }

  private boolean isValid(long nowMs) {
    return nowMs <= validUntilMs && isLearned();
  }

  // What a shadow replica takes: the last that was learned, whatever the lease.

  double serviceIntercept(int slot) {
    return slots.get(slot).listed ? slots.get(slot).interceptMicros : meanInterceptMicros;
  }

  double servicePerToken(int slot) {
    if (!isLearned()) {
      return UNLEARNED_MICROS_PER_TOKEN;
    }
    return slots.get(slot).listed ? slots.get(slot).microsPerToken : meanMicrosPerToken;
  }

  void writeTo(DataOutput out) throws IOException {
    out.writeLong(epoch);
    out.writeLong(validUntilMs);
    out.writeDouble(backlogShare);
    out.writeDouble(meanInterceptMicros);
    out.writeDouble(meanMicrosPerToken);
    out.writeInt(slots.size());
    for (Slot slot : slots) {
      out.writeUTF(slot.name);
      out.writeBoolean(slot.present);
      out.writeInt(slot.generation);
      out.writeLong(slot.seenMs);
      out.writeBoolean(slot.listed);
      out.writeDouble(slot.weight);
      out.writeDouble(slot.interceptMicros);
      out.writeDouble(slot.microsPerToken);
    }
  }

  void readFrom(DataInput in) throws IOException {
    epoch = in.readLong();
    validUntilMs = in.readLong();
    backlogShare = in.readDouble();
    meanInterceptMicros = in.readDouble();
    meanMicrosPerToken = in.readDouble();
    int size = in.readInt();
    for (int i = 0; i < size; i++) {
      Slot slot = new Slot(in.readUTF());
      slot.present = in.readBoolean();
      slot.generation = in.readInt();
      slot.seenMs = in.readLong();
      slot.listed = in.readBoolean();
      slot.weight = in.readDouble();
      slot.interceptMicros = in.readDouble();
      slot.microsPerToken = in.readDouble();
      slots.add(slot);
    }
  }
}
