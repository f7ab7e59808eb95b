package io.warmpath.replica.cuda;

import io.warmpath.replica.cuda.WeightLayout.Tensor;

/**
 * The kernels once more, in plain Java and without a thought for speed: what a device computes is
 * compared with them. Sums are in double precision; what a kernel stores is rounded as it stores
 * it.
 */
final class JavaKernels {

  private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;
  private static final float UNIT = 1f / (1 << 23);

  private final DataType type;

  JavaKernels(DataType type) {
    this.type = type;
  }

  float[] fillRandom(Tensor tensor) {
    float[] out = new float[Math.toIntExact(tensor.count())];
    for (int i = 0; i < out.length; i++) {
      long bits = mixed(tensor.seed() + (i + 1) * GOLDEN_RATIO) >>> 40;
      out[i] = type.round(tensor.offset() + tensor.scale() * (bits * UNIT - 1));
    }
    return out;
  }

  /** SplitMix64's output function. */
  private static long mixed(long state) {
    long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  float[] gatherRows(int[] index, float[] table, int width) {
    float[] out = new float[index.length * width];
    for (int row = 0; row < index.length; row++) {
      System.arraycopy(table, index[row] * width, out, row * width, width);
    }
    return out;
  }

  float[] rmsNorm(float[] in, float[] weight, int width, float epsilon) {
    float[] out = new float[in.length];
    for (int row = 0; row < in.length / width; row++) {
      double squares = 0;
      for (int i = 0; i < width; i++) {
        squares += (double) in[row * width + i] * in[row * width + i];
      }
      double scale = 1 / Math.sqrt(squares / width + epsilon);
      for (int i = 0; i < width; i++) {
        out[row * width + i] = type.round((float) (in[row * width + i] * scale * weight[i]));
      }
    }
    return out;
  }

  /** Changes the queries and keys in {@code qkv}, and the slots in {@code keys}, {@code values}. */
  void ropeAndStore(
      float[] qkv,
      int[] positions,
      int[] slots,
      float[] frequencies,
      float[] keys,
      float[] values,
      Heads heads) {
    int pairs = heads.dim() / 2;
    for (int row = 0; row < positions.length; row++) {
      int from = row * heads.qkvWidth();
      for (int head = 0; head < heads.query() + heads.kv(); head++) {
        for (int pair = 0; pair < pairs; pair++) {
          // In single precision: the angle is the kernel's.
          float angle = positions[row] * frequencies[pair];
          int low = from + head * heads.dim() + pair;
          double x = qkv[low];
          double y = qkv[low + pairs];
          qkv[low] = type.round((float) (x * Math.cos(angle) - y * Math.sin(angle)));
          qkv[low + pairs] = type.round((float) (y * Math.cos(angle) + x * Math.sin(angle)));
        }
      }
      int key = from + heads.outWidth();
      int slot = slots[row] * heads.kvWidth();
      System.arraycopy(qkv, key, keys, slot, heads.kvWidth());
      System.arraycopy(qkv, key + heads.kvWidth(), values, slot, heads.kvWidth());
    }
  }

  /**
   * Attention of rows over paged keys and values.
   *
   * @param tables the block table of each row
   */
  float[] attend(
      float[] qkv,
      float[] keys,
      float[] values,
      int[][] tables,
      int[] positions,
      int blockTokens,
      Heads heads) {
    float[] out = new float[positions.length * heads.outWidth()];
    for (int row = 0; row < positions.length; row++) {
      for (int head = 0; head < heads.query(); head++) {
        int kvHead = head / (heads.query() / heads.kv());
        int query = row * heads.qkvWidth() + head * heads.dim();
        int context = positions[row] + 1;
        int[] cached = new int[context];
        double[] weight = new double[context];
        double largest = Double.NEGATIVE_INFINITY;
        for (int token = 0; token < context; token++) {
          int slot = tables[row][token / blockTokens] * blockTokens + token % blockTokens;
          cached[token] = (slot * heads.kv() + kvHead) * heads.dim();
          for (int d = 0; d < heads.dim(); d++) {
            weight[token] += (double) qkv[query + d] * keys[cached[token] + d];
          }
          weight[token] /= Math.sqrt(heads.dim());
          largest = Math.max(largest, weight[token]);
        }
        double sum = 0;
        double[] mean = new double[heads.dim()];
        for (int token = 0; token < context; token++) {
          double share = Math.exp(weight[token] - largest);
          sum += share;
          for (int d = 0; d < heads.dim(); d++) {
            mean[d] += share * values[cached[token] + d];
          }
        }
        for (int d = 0; d < heads.dim(); d++) {
          out[row * heads.outWidth() + head * heads.dim() + d] =
              type.round((float) (mean[d] / sum));
        }
      }
    }
    return out;
  }

  float[] swiglu(float[] gateUp, int width) {
    float[] out = new float[gateUp.length / 2];
    for (int row = 0; row < out.length / width; row++) {
      for (int i = 0; i < width; i++) {
        double gate = gateUp[row * 2 * width + i];
        double up = gateUp[row * 2 * width + width + i];
        out[row * width + i] = type.round((float) (gate / (1 + Math.exp(-gate)) * up));
      }
    }
    return out;
  }

  float[] add(float[] a, float[] b) {
    float[] out = new float[a.length];
    for (int i = 0; i < a.length; i++) {
      out[i] = type.round(a[i] + b[i]);
    }
    return out;
  }

  /** {@code a[m×k] · w[n×k]ᵀ}. */
  float[] multiply(float[] a, float[] w, int n, int k) {
    float[] out = multiplyToLogits(a, w, n, k);
    for (int i = 0; i < out.length; i++) {
      out[i] = type.round(out[i]);
    }
    return out;
  }

  /** The same, not rounded. */
  float[] multiplyToLogits(float[] a, float[] w, int n, int k) {
    int m = a.length / k;
    float[] out = new float[m * n];
    for (int row = 0; row < m; row++) {
      for (int column = 0; column < n; column++) {
        double sum = 0;
        for (int i = 0; i < k; i++) {
          sum += (double) a[row * k + i] * w[column * k + i];
        }
        out[row * n + column] = (float) sum;
      }
    }
    return out;
  }

  int[] argMax(float[] logits, int width) {
    int[] out = new int[logits.length / width];
    for (int row = 0; row < out.length; row++) {
      for (int i = 0; i < width && out[row] >= 0; i++) {
        float logit = logits[row * width + i];
        if (!Float.isFinite(logit)) {
          out[row] = -1;
        } else if (logit > logits[row * width + out[row]]) {
          out[row] = i;
        }
      }
    }
    return out;
  }
}
