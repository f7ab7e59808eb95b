package io.warmpath.replica.cuda;

import io.warmpath.replica.cuda.WeightLayout.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** Compares each kernel on a device with its twin in Java. */
final class KernelCheck {

  /** Not far above a rounding or two of what is stored. */
  private static final double FP16_TOLERANCE = 2e-3;

  private static final double FP32_TOLERANCE = 1e-5;

  /** Neither full blocks of threads nor full tiles. */
  private static final int ROWS = 70;

  private static final int WIDTH = 205;
  private static final float EPSILON = 1e-5f;

  private final CudaDevice device;
  private final DataType type;
  private final Kernels kernels;
  private final JavaKernels twin;
  private final double tolerance;
  private final SplittableRandom random = new SplittableRandom(7);
  private final List<Deviation> deviations = new ArrayList<>();

  private KernelCheck(CudaDevice device, DataType type, Kernels kernels) {
    this.device = device;
    this.type = type;
    this.kernels = kernels;
    twin = new JavaKernels(type);
    tolerance = type == DataType.FP16 ? FP16_TOLERANCE : FP32_TOLERANCE;
  }

  static List<Deviation> run(DataType type) {
    try (CudaDevice device = CudaDevice.open();
        Kernels kernels = new Kernels(device, type)) {
      KernelCheck check = new KernelCheck(device, type, kernels);
      check.rows();
      check.products();
      // One head, heads that share, and the widest of both.
      check.attention(new Heads(1, 1, 8));
      check.attention(new Heads(6, 2, 20));
      check.attention(new Heads(2 * Kernels.MAX_GROUP, 2, Kernels.MAX_HEAD_DIM));
      return check.deviations;
    }
  }

  private void rows() {
    Tensor tensor = new Tensor(0, ROWS * WIDTH, 99, 0.7f, 0.2f);
    DeviceMemory filled = empty(ROWS * WIDTH);
    kernels.fillRandom(filled, tensor.count(), tensor.seed(), tensor.scale(), tensor.offset());
    compare("fill_random", twin.fillRandom(tensor), filled);

    float[] in = numbers(ROWS * WIDTH);
    float[] weight = numbers(WIDTH);
    DeviceMemory normed = empty(ROWS * WIDTH);
    kernels.rmsNorm(stored(in), stored(weight), normed, ROWS, WIDTH, EPSILON);
    compare("rms_norm", twin.rmsNorm(in, weight, WIDTH, EPSILON), normed);

    int[] index = {5, 0, ROWS - 1, 5};
    DeviceMemory gathered = empty(index.length * WIDTH);
    kernels.gatherRows(stored(index), stored(in), gathered, index.length, WIDTH);
    compare("gather_rows", twin.gatherRows(index, in, WIDTH), gathered);

    float[] gateUp = numbers(ROWS * 2 * WIDTH);
    DeviceMemory activated = empty(ROWS * WIDTH);
    kernels.swiglu(stored(gateUp), activated, ROWS, WIDTH);
    compare("swiglu", twin.swiglu(gateUp, WIDTH), activated);

    float[] x = numbers(ROWS * WIDTH);
    DeviceMemory sum = stored(in);
    kernels.add(sum, stored(x), ROWS, WIDTH);
    compare("add", twin.add(in, x), sum);
    argMax();
  }

  private void argMax() {
    float[] logits = numbers(4 * WIDTH);
    logits[WIDTH + 3] = Float.NaN;
    logits[2 * WIDTH + 3] = Float.NEGATIVE_INFINITY;
    Arrays.fill(logits, 3 * WIDTH, 4 * WIDTH, -1);
    DeviceMemory from = device.allocate("logits", 4L * logits.length);
    from.write(logits);
    DeviceMemory out = device.allocate("indices", 16);
    kernels.argMax(from, out, 4, WIDTH);
    boolean equal = Arrays.equals(twin.argMax(logits, WIDTH), out.readInts(4));
    deviations.add(new Deviation(name("arg_max"), equal ? 0 : Double.POSITIVE_INFINITY, tolerance));
  }

  private void products() {
    // Few rows take another kernel.
    for (int m : new int[] {1, 8, ROWS}) {
      int n = 131;
      float[] a = numbers(m * WIDTH);
      float[] w = numbers(n * WIDTH);
      DeviceMemory product = empty(m * n);
      kernels.multiply(stored(a), stored(w), product, m, n, WIDTH);
      compare("multiply, " + m + " rows", twin.multiply(a, w, n, WIDTH), product);
      DeviceMemory logits = device.allocate("logits", 4L * m * n);
      kernels.multiplyToLogits(stored(a), stored(w), logits, m, n, WIDTH);
      deviations.add(
          Deviation.of(
              name("multiply to logits, " + m + " rows"),
              twin.multiplyToLogits(a, w, n, WIDTH),
              logits.readFloats(m * n),
              tolerance));
    }
  }

  /** Three sequences in blocks that lie anywhere: 1, 33 and 150 tokens. */
  private void attention(Heads heads) {
    int blockTokens = 16;
    int[] contexts = {1, 33, 150};
    int[][] tables = {{7, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {3, 12, 4, 0, 0, 0, 0, 0, 0, 0}, new int[10]};
    int[] rest = {0, 13, 1, 9, 5, 11, 2, 8, 10, 6};
    System.arraycopy(rest, 0, tables[2], 0, rest.length);
    int slots = 14 * blockTokens;
    float[] keys = numbers(slots * heads.kvWidth());
    float[] values = numbers(slots * heads.kvWidth());
    String shape = ", " + heads.query() + "/" + heads.kv() + " heads of " + heads.dim();
    rope(heads, shape, keys, values);
    KvLayer kv = new KvLayer(stored(keys), stored(values), blockTokens);
    DeviceMemory tableMemory = stored(flat(tables));

    int[] newest = Arrays.stream(contexts).map(context -> context - 1).toArray();
    float[] queries = numbers(newest.length * heads.qkvWidth());
    DeviceMemory decoded = empty(newest.length * heads.outWidth());
    RowMemory decode =
        new RowMemory(null, stored(newest), null, null, null, tableMemory, tables[0].length);
    kernels.attendDecode(stored(queries), kv, decode, decoded, newest.length, heads);
    compare(
        "attend_decode" + shape,
        twin.attend(queries, keys, values, tables, newest, blockTokens, heads),
        decoded);

    prefill(heads, shape, keys, values, kv, tables, tableMemory);
  }

  /**
   * The last 20 tokens of the long sequence, 5 of the middle one, and the only one of the short.
   */
  private void prefill(
      Heads heads,
      String shape,
      float[] keys,
      float[] values,
      KvLayer kv,
      int[][] tables,
      DeviceMemory tableMemory) {
    int[] positions = new int[26];
    int[][] rowTables = new int[positions.length][];
    for (int row = 0; row < positions.length; row++) {
      int sequence = row < 20 ? 2 : row < 25 ? 1 : 0;
      positions[row] = row < 20 ? 130 + row : row < 25 ? 28 + row - 20 : 0;
      rowTables[row] = tables[sequence];
    }
    int[] tiles = {0, 16, 2, 16, 4, 2, 20, 5, 1, 25, 1, 0};
    float[] queries = numbers(positions.length * heads.qkvWidth());
    DeviceMemory out = empty(positions.length * heads.outWidth());
    RowMemory rows =
        new RowMemory(
            null, stored(positions), null, null, stored(tiles), tableMemory, tables[0].length);
    kernels.attendPrefill(stored(queries), kv, rows, out, tiles.length / 3, heads);
    compare(
        "attend_prefill" + shape,
        twin.attend(queries, keys, values, rowTables, positions, kv.blockTokens(), heads),
        out);
  }

  private void rope(Heads heads, String shape, float[] keys, float[] values) {
    int[] positions = {0, 1, 77, 5_000};
    int[] slots = {3, 100, 0, 64};
    float[] frequencies = new float[heads.dim() / 2];
    for (int i = 0; i < frequencies.length; i++) {
      frequencies[i] = (float) Math.pow(10_000, -2.0 * i / heads.dim());
    }
    float[] qkv = numbers(positions.length * heads.qkvWidth());
    DeviceMemory turned = stored(qkv);
    DeviceMemory storedKeys = stored(keys);
    DeviceMemory storedValues = stored(values);
    DeviceMemory storedFrequencies = device.allocate("frequencies", 4L * frequencies.length);
    storedFrequencies.write(frequencies);
    kernels.ropeAndStore(
        turned,
        stored(positions),
        stored(slots),
        storedFrequencies,
        storedKeys,
        storedValues,
        positions.length,
        heads);
    float[] expectedKeys = keys.clone();
    float[] expectedValues = values.clone();
    twin.ropeAndStore(qkv, positions, slots, frequencies, expectedKeys, expectedValues, heads);
    compare("rope_and_store, rows" + shape, qkv, turned);
    compare("rope_and_store, keys" + shape, expectedKeys, storedKeys);
    compare("rope_and_store, values" + shape, expectedValues, storedValues);
  }

  private void compare(String what, float[] expected, DeviceMemory actual) {
    float[] read = type.read(actual, expected.length);
    deviations.add(Deviation.of(name(what), expected, read, tolerance));
  }

  private String name(String what) {
    return what + ", " + type.name().toLowerCase(Locale.ROOT);
  }

  private float[] numbers(int count) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = type.round((float) random.nextDouble(-2, 2));
    }
    return numbers;
  }

  private DeviceMemory empty(int count) {
    return device.allocate("numbers", (long) count * type.bytes);
  }

  private DeviceMemory stored(float[] numbers) {
    DeviceMemory memory = empty(numbers.length);
    type.write(memory, numbers);
    return memory;
  }

  private DeviceMemory stored(int[] numbers) {
    DeviceMemory memory = device.allocate("numbers", 4L * numbers.length);
    memory.write(numbers);
    return memory;
  }

  private static int[] flat(int[][] rows) {
    return Arrays.stream(rows).flatMapToInt(Arrays::stream).toArray();
  }
}
