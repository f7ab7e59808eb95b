package io.warmpath.routing.control;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What the law carries from one decision of a model to the next. A value; {@link #writeTo} is its
 * compact form.
 *
 * @param epoch epoch of the last decision, {@link #NEVER} before the first
 * @param fleet speed of the replicas that do not differ from the others; null before the first fit
 * @param replicas the listed replicas, sorted by name
 */
public record ControlState(long epoch, SpeedFit fleet, List<ReplicaControl> replicas) {

  /** The epoch before the first decision. */
  public static final long NEVER = -1;

  /** The state before the first decision. */
  public static final ControlState INITIAL = new ControlState(NEVER, null, List.of());

  private static final byte FORMAT = 1;

  public ControlState {
    replicas = List.copyOf(replicas);
  }

  ReplicaControl replica(String name) {
    for (ReplicaControl each : replicas) {
      if (each.replica().equals(name)) {
        return each;
      }
    }
    return null;
  }

  /** Writes the state. */
  public void writeTo(DataOutput out) throws IOException {
    out.writeByte(FORMAT);
    out.writeLong(epoch);
    write(fleet, out);
    out.writeInt(replicas.size());
    for (ReplicaControl each : replicas) {
      out.writeUTF(each.replica());
      out.writeDouble(each.weight());
      write(each.own(), out);
      out.writeLong(each.settlesUntilMs());
      out.writeLong(each.warmsFromMs());
      out.writeLong(each.restarts());
    }
  }

  private static void write(SpeedFit fit, DataOutput out) throws IOException {
    out.writeBoolean(fit != null);
    if (fit != null) {
      out.writeDouble(fit.interceptMicros());
      out.writeDouble(fit.microsPerToken());
    }
  }

  /**
   * The state that {@link #writeTo} wrote.
   *
   * @throws IOException if the bytes are none, or end early
   */
  public static ControlState readFrom(DataInput in) throws IOException {
    int format = in.readByte();
    if (format != FORMAT) {
      throw new IOException("unknown format of control state: " + format);
    }
    long epoch = in.readLong();
    SpeedFit fleet = readFit(in);
    int size = in.readInt();
    List<ReplicaControl> replicas = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      replicas.add(
          new ReplicaControl(
              in.readUTF(),
              in.readDouble(),
              readFit(in),
              in.readLong(),
              in.readLong(),
              in.readLong()));
    }
    return new ControlState(epoch, fleet, replicas);
  }

  private static SpeedFit readFit(DataInput in) throws IOException {
    return in.readBoolean() ? new SpeedFit(in.readDouble(), in.readDouble()) : null;
  }
}
