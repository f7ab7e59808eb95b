package io.warmpath.replica.cuda;

import io.warmpath.replica.engine.Sequence;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Describes the rows of a forward pass to the device: one buffer here, one there, one copy a pass.
 * A row is a token that a sequence computes; rows of a sequence follow each other.
 */
final class RowBatch {

  private final CudaDevice device;
  private final TransformerModel model;
  private ByteBuffer host = buffer(1 << 14);
  private DeviceMemory memory;
  private RowMemory onDevice;
  private int rows;
  private int tiles;
  private int sequences;
  private final List<Sequence> sampled = new ArrayList<>();

  RowBatch(CudaDevice device, TransformerModel model) {
    this.device = device;
    this.model = model;
  }

  /** Takes what the sequences have scheduled, and copies it. */
  void set(List<Sequence> batch) {
    count(batch);
    int tableWidth = tableWidth(batch);
    int[] sizes = {rows, rows, rows, sampled.size(), 3 * tiles, sequences * tableWidth};
    int total = 0;
    for (int size : sizes) {
      total += size;
    }
    ensureRoom(total);
    IntBuffer ints = host.clear().asIntBuffer();
    putRows(batch, ints);
    putSampled(batch, ints);
    putTiles(batch, ints);
    putTables(batch, tableWidth, ints);
    CudaDriver.copyToDevice(memory.pointer(), host, 4L * total, device.stream());
    DeviceMemory[] parts = new DeviceMemory[sizes.length];
    long from = 0;
    for (int i = 0; i < sizes.length; i++) {
      parts[i] = memory.slice(from, 4L * sizes[i]);
      from += 4L * sizes[i];
    }
    onDevice =
        new RowMemory(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], tableWidth);
  }

  RowMemory onDevice() {
    return onDevice;
  }

  int rows() {
    return rows;
  }

  int tiles() {
    return tiles;
  }

  int sequences() {
    return sequences;
  }

  /** The sequences that a token is sampled of, in the order of their rows of logits. */
  List<Sequence> sampled() {
    return sampled;
  }

  private void count(List<Sequence> batch) {
    rows = 0;
    tiles = 0;
    sequences = batch.size();
    sampled.clear();
    for (Sequence sequence : batch) {
      rows += sequence.scheduledTokens();
      tiles += tiles(sequence);
      if (sequence.generates()) {
        sampled.add(sequence);
      }
    }
  }

  private static int tiles(Sequence sequence) {
    return (sequence.scheduledTokens() + Kernels.TILE_QUERIES - 1) / Kernels.TILE_QUERIES;
  }

  private int tableWidth(List<Sequence> batch) {
    int width = 0;
    for (Sequence sequence : batch) {
      width = Math.max(width, blocks(sequence));
    }
    return width;
  }

  private int blocks(Sequence sequence) {
    int tokens = sequence.computedTokens() + sequence.scheduledTokens();
    return (tokens + model.blockTokens() - 1) / model.blockTokens();
  }

  private void putRows(List<Sequence> batch, IntBuffer to) {
    int at = 0;
    for (Sequence sequence : batch) {
      int first = sequence.computedTokens();
      for (int i = 0; i < sequence.scheduledTokens(); i++) {
        int position = first + i;
        int block = sequence.block(position / model.blockTokens());
        to.put(at, Integer.remainderUnsigned(sequence.token(position), model.vocabulary()));
        to.put(rows + at, position);
        to.put(2 * rows + at, block * model.blockTokens() + position % model.blockTokens());
        at++;
      }
    }
    to.position(3 * rows);
  }

  private static void putSampled(List<Sequence> batch, IntBuffer to) {
    int end = 0;
    for (Sequence sequence : batch) {
      end += sequence.scheduledTokens();
      if (sequence.generates()) {
        to.put(end - 1);
      }
    }
  }

  private static void putTiles(List<Sequence> batch, IntBuffer to) {
    int row = 0;
    for (int i = 0; i < batch.size(); i++) {
      int left = batch.get(i).scheduledTokens();
      while (left > 0) {
        int size = Math.min(left, Kernels.TILE_QUERIES);
        to.put(row).put(size).put(i);
        row += size;
        left -= size;
      }
    }
  }

  private void putTables(List<Sequence> batch, int width, IntBuffer to) {
    for (Sequence sequence : batch) {
      int blocks = blocks(sequence);
      for (int i = 0; i < width; i++) {
        to.put(i < blocks ? sequence.block(i) : 0);
      }
    }
  }

  private void ensureRoom(int ints) {
    if (host.capacity() < 4L * ints) {
      host = buffer(2 * ints);
    }
    if (memory == null || memory.bytes() < host.capacity()) {
      if (memory != null) {
        device.free(memory);
      }
      memory = device.allocate("batch description", host.capacity());
    }
  }

  private static ByteBuffer buffer(int ints) {
    return ByteBuffer.allocateDirect(Math.multiplyExact(4, ints)).order(ByteOrder.nativeOrder());
  }
}
