package io.warmpath.jobs.combine;

import io.warmpath.jobs.types.ImmutableSerializer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A partition's memory as state holds it.
 *
 * @param topic topic
 * @param partition partition
 * @param nextOffset how far it reaches: of two images of one partition the further one holds
 * @param highMs highest event time in it
 * @param memory all of it, written
 */
record PartitionImage(String topic, int partition, long nextOffset, long highMs, byte[] memory) {

  static PartitionImage of(String topic, int partition, PartitionMemory memory) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      memory.writeTo(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new PartitionImage(
        topic, partition, memory.nextOffset(), memory.highMs(), bytes.toByteArray());
  }

  /** The memory again. */
  PartitionMemory toMemory(CombineRules rules) {
    PartitionMemory read = new PartitionMemory(rules);
    try {
      read.readFrom(new DataInputStream(new ByteArrayInputStream(memory)));
    } catch (IOException e) {
      throw new UncheckedIOException("state of " + topic + "-" + partition, e);
    }
    return read;
  }

  /** The same partition with nothing known but how far it came. */
  PartitionImage withTimeOnly(CombineRules rules) {
    PartitionMemory time = new PartitionMemory(rules);
    time.passed(nextOffset - 1);
    time.raise(highMs);
    return of(topic, partition, time);
  }

  /** Field by field; the memory's format has a number, so that it may change. */
  static final class Serializer extends ImmutableSerializer<PartitionImage> {

    private static final long serialVersionUID = 1L;
    private static final byte FORMAT = 3;

    @Override
    public void serialize(PartitionImage image, DataOutputView target) throws IOException {
      target.writeByte(FORMAT);
      target.writeUTF(image.topic);
      target.writeInt(image.partition);
      target.writeLong(image.nextOffset);
      target.writeLong(image.highMs);
      target.writeInt(image.memory.length);
      target.write(image.memory);
    }

    @Override
    public PartitionImage deserialize(DataInputView source) throws IOException {
      byte format = source.readByte();
      if (format != FORMAT) {
        throw new IOException("memory of a partition in format " + format);
      }
      String topic = source.readUTF();
      int partition = source.readInt();
      long nextOffset = source.readLong();
      long highMs = source.readLong();
      byte[] memory = new byte[source.readInt()];
      source.readFully(memory);
      return new PartitionImage(topic, partition, nextOffset, highMs, memory);
    }

    @Override
    public TypeSerializerSnapshot<PartitionImage> snapshotConfiguration() {
      return new Snapshot();
    }
  }

  /** The serializer has nothing to remember but its class. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<PartitionImage> {
    public Snapshot() {
      super(Serializer::new);
    }
  }
}
