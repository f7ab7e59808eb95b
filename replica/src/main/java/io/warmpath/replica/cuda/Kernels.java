package io.warmpath.replica.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import jcuda.NativePointerObject;
import jcuda.Pointer;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;

/**
 * The kernels of {@code src/main/cuda} on a device, in the form of one data type. Launches are
 * queued on the device's stream. What each computes is said in its source; sizes are in numbers,
 * not bytes.
 */
final class Kernels implements AutoCloseable {

  /** Widest head: a thread sums up one dimension. */
  static final int MAX_HEAD_DIM = 128;

  /** Most query heads that share a head of keys and values. */
  static final int MAX_GROUP = 16;

  /** Rows of a tile of {@link #attendPrefill}. */
  static final int TILE_QUERIES = 16;

  private static final String RESOURCE = "/cuda/kernels.ptx";
  private static final int ROW_THREADS = 128;
  private static final int GEMM_THREADS = 256;
  private static final int GEMM_TILE = 64;
  private static final int GEMV_ROWS = 8;
  private static final int FILL_BLOCKS = 1024;

  private final CudaDevice device;
  private final String form;
  private final CUmodule module;
  private final Map<String, CUfunction> functions = new HashMap<>();

  Kernels(CudaDevice device, DataType type) {
    this.device = device;
    form = "_" + type.form;
    module = CudaDriver.loadModule(ptx());
  }

  /** The kernels as they were compiled. */
  static String ptx() {
    try (InputStream in = Kernels.class.getResourceAsStream(RESOURCE)) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + RESOURCE, e);
    }
  }

  void fillRandom(DeviceMemory out, long count, long seed, float scale, float offset) {
    int blocks = (int) Math.min(FILL_BLOCKS, (count + ROW_THREADS - 1) / ROW_THREADS);
    launch(
        "fill_random" + form,
        blocks,
        1,
        ROW_THREADS,
        memory(out),
        number(count),
        number(seed),
        number(scale),
        number(offset));
  }

  void gatherRows(DeviceMemory index, DeviceMemory table, DeviceMemory out, int rows, int width) {
    rows("gather_rows" + form, rows, memory(index), memory(table), memory(out), number(width));
  }

  void rmsNorm(
      DeviceMemory in, DeviceMemory weight, DeviceMemory out, int rows, int width, float epsilon) {
    rows(
        "rms_norm" + form,
        rows,
        memory(in),
        memory(weight),
        memory(out),
        number(width),
        number(epsilon));
  }

  void ropeAndStore(
      DeviceMemory qkv,
      DeviceMemory positions,
      DeviceMemory slots,
      DeviceMemory frequencies,
      DeviceMemory keys,
      DeviceMemory values,
      int rows,
      Heads heads) {
    rows(
        "rope_and_store" + form,
        rows,
        memory(qkv),
        memory(positions),
        memory(slots),
        memory(frequencies),
        memory(keys),
        memory(values),
        number(heads.query()),
        number(heads.kv()),
        number(heads.dim()));
  }

  void swiglu(DeviceMemory gateUp, DeviceMemory out, int rows, int width) {
    rows("swiglu" + form, rows, memory(gateUp), memory(out), number(width));
  }

  void add(DeviceMemory sum, DeviceMemory x, int rows, int width) {
    rows("add" + form, rows, memory(sum), memory(x), number(width));
  }

  /** {@code out[m×n] = a[m×k] · w[n×k]ᵀ}. */
  void multiply(DeviceMemory a, DeviceMemory w, DeviceMemory out, int m, int n, int k) {
    multiply("", a, w, out, m, n, k);
  }

  /** The same, with {@code out} in fp32. */
  void multiplyToLogits(DeviceMemory a, DeviceMemory w, DeviceMemory out, int m, int n, int k) {
    multiply("_logits", a, w, out, m, n, k);
  }

  private void multiply(
      String to, DeviceMemory a, DeviceMemory w, DeviceMemory out, int m, int n, int k) {
    Pointer[] parameters = {
      memory(a), memory(w), memory(out), number(m), number(n), number(k),
    };
    if (m <= GEMV_ROWS) {
      launch("gemv" + to + form, n, 1, ROW_THREADS, parameters);
    } else {
      launch("gemm" + to + form, tiles(n), tiles(m), GEMM_THREADS, parameters);
    }
  }

  private static int tiles(int rows) {
    return (rows + GEMM_TILE - 1) / GEMM_TILE;
  }

  /** Attention of one query row a sequence; {@code tables} has a row for each. */
  void attendDecode(
      DeviceMemory qkv, KvLayer kv, RowMemory rows, DeviceMemory out, int sequences, Heads heads) {
    launch(
        "attend_decode" + form,
        sequences,
        heads.kv(),
        ROW_THREADS,
        memory(qkv),
        memory(kv.keys()),
        memory(kv.values()),
        memory(rows.tables()),
        memory(rows.positions()),
        memory(out),
        number(rows.tableWidth()),
        number(kv.blockTokens()),
        number(heads.query()),
        number(heads.kv()),
        number(heads.dim()));
  }

  /** Attention of many query rows a sequence, in tiles of at most {@link #TILE_QUERIES}. */
  void attendPrefill(
      DeviceMemory qkv, KvLayer kv, RowMemory rows, DeviceMemory out, int tiles, Heads heads) {
    launch(
        "attend_prefill" + form,
        tiles,
        heads.query(),
        ROW_THREADS,
        memory(qkv),
        memory(kv.keys()),
        memory(kv.values()),
        memory(rows.tables()),
        memory(rows.positions()),
        memory(rows.tiles()),
        memory(out),
        number(rows.tableWidth()),
        number(kv.blockTokens()),
        number(heads.query()),
        number(heads.kv()),
        number(heads.dim()));
  }

  void argMax(DeviceMemory logits, DeviceMemory out, int rows, int width) {
    rows("arg_max_f32", rows, memory(logits), memory(out), number(width));
  }

  /** Keeps the device busy. */
  void spin(long nanos) {
    launch("spin_nanos", 1, 1, 1, number(nanos));
  }

  private void rows(String name, int rows, Pointer... parameters) {
    launch(name, rows, 1, ROW_THREADS, parameters);
  }

  private void launch(String name, int gridX, int gridY, int threads, Pointer... parameters) {
    CUfunction function =
        functions.computeIfAbsent(name, each -> CudaDriver.function(module, each));
    CudaDriver.launch(
        name,
        function,
        gridX,
        gridY,
        threads,
        device.stream(),
        Pointer.to((NativePointerObject[]) parameters));
  }

  private static Pointer memory(DeviceMemory memory) {
    return Pointer.to(memory.pointer());
  }

  private static Pointer number(int value) {
    return Pointer.to(new int[] {value});
  }

  private static Pointer number(long value) {
    return Pointer.to(new long[] {value});
  }

  private static Pointer number(float value) {
    return Pointer.to(new float[] {value});
  }

  @Override
  public void close() {
    CudaDriver.unload(module);
  }
}
