// What works on each row, or each number, by itself.
#pragma once

#include "block.cuh"

// Threads of a block that works on one row.
constexpr int ROW_THREADS = 128;

// SplitMix64's output function.
DEVICE unsigned long long mixed(unsigned long long state) {
  unsigned long long z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

// out[i] = offset + scale * u_i, u_i even in [-1, 1): the same on every machine.
template <typename T>
DEVICE void fill_random(T* out, unsigned long long count, unsigned long long seed, float scale,
                        float offset) {
  const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
  THREADS {
    unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + thread;
    for (; i < count; i += stride) {
      const unsigned long long bits = mixed(seed + (i + 1) * 0x9E3779B97F4A7C15ULL) >> 40;
      const float even = rounded_product(static_cast<float>(bits), 1.0f / 8388608.0f) - 1.0f;
      store(out + i, offset + rounded_product(scale, even));
    }
  }
}

// out[row] = table[index[row]]: embeddings, and the rows that logits are wanted of.
template <typename T>
DEVICE void gather_rows(const int* index, const T* table, T* out, int width) {
  const size_t row = blockIdx.x;
  const T* from = table + static_cast<size_t>(index[row]) * width;
  THREADS {
    for (int i = thread; i < width; i += blockDim.x) {
      out[row * width + i] = from[i];
    }
  }
}

// out = in / rms(in) * weight, row by row (Zhang and Sennrich 2019).
template <typename T>
DEVICE void rms_norm(const T* in, const T* weight, T* out, int width, float epsilon) {
  SHARED float squares[ROW_THREADS];
  const T* from = in + static_cast<size_t>(blockIdx.x) * width;
  T* to = out + static_cast<size_t>(blockIdx.x) * width;
  THREADS {
    float sum = 0;
    for (int i = thread; i < width; i += ROW_THREADS) {
      sum += load(from + i) * load(from + i);
    }
    squares[thread] = sum;
  }
  SYNC;
  for (int half = ROW_THREADS / 2; half > 0; half /= 2) {
    THREADS {
      if (thread < half) {
        squares[thread] += squares[thread + half];
      }
    }
    SYNC;
  }
  THREADS {
    const float scale = 1.0f / sqrtf(squares[0] / width + epsilon);
    for (int i = thread; i < width; i += ROW_THREADS) {
      store(to + i, load(from + i) * scale * load(weight + i));
    }
  }
}

// Turns queries and keys by their position (Su et al. 2021; pairs are half a head apart, as in
// Llama), and puts keys and values into their slots of the paged cache. A row holds all query
// heads, then all key heads, then all value heads.
template <typename T>
DEVICE void rope_and_store(T* qkv, const int* positions, const int* slots, const float* frequencies,
                           T* keys, T* values, int heads, int kv_heads, int head_dim) {
  const size_t row = blockIdx.x;
  T* const q = qkv + row * (heads + 2 * kv_heads) * head_dim;
  const int pairs = head_dim / 2;
  const size_t slot = static_cast<size_t>(slots[row]) * kv_heads * head_dim;
  THREADS {
    for (int i = thread; i < (heads + kv_heads) * pairs; i += blockDim.x) {
      const int head = i / pairs;
      const int pair = i % pairs;
      const float angle = static_cast<float>(positions[row]) * frequencies[pair];
      const float cosine = cosf(angle);
      const float sine = sinf(angle);
      T* const low = q + head * head_dim + pair;
      const float x = load(low);
      const float y = load(low + pairs);
      store(low, x * cosine - y * sine);
      store(low + pairs, y * cosine + x * sine);
      if (head >= heads) {
        T* const key = keys + slot + (head - heads) * head_dim + pair;
        key[0] = low[0];
        key[pairs] = low[pairs];
      }
    }
    for (int i = thread; i < kv_heads * head_dim; i += blockDim.x) {
      values[slot + i] = q[(heads + kv_heads) * head_dim + i];
    }
  }
}

// out = silu(gate) * up, where a row holds all gates, then all ups (Shazeer 2020).
template <typename T>
DEVICE void swiglu(const T* gate_up, T* out, int width) {
  const size_t row = blockIdx.x;
  const T* gate = gate_up + row * 2 * width;
  THREADS {
    for (int i = thread; i < width; i += blockDim.x) {
      const float g = load(gate + i);
      store(out + row * width + i, g / (1.0f + expf(-g)) * load(gate + width + i));
    }
  }
}

// sum += x
template <typename T>
DEVICE void add(T* sum, const T* x, int width) {
  const size_t row = blockIdx.x;
  THREADS {
    for (int i = thread; i < width; i += blockDim.x) {
      store(sum + row * width + i, load(sum + row * width + i) + load(x + row * width + i));
    }
  }
}

// The index of each row's largest logit, the first of equal ones; -1 where a logit is not finite.
DEVICE void arg_max(const float* logits, int* out, int width) {
  SHARED float largest[ROW_THREADS];
  SHARED int index[ROW_THREADS];
  const float* row = logits + static_cast<size_t>(blockIdx.x) * width;
  THREADS {
    float best = -INFINITY;
    int at = width;
    bool finite = true;
    for (int i = thread; i < width; i += ROW_THREADS) {
      // Neither NaN nor an infinity is at most the largest finite number away from 0.
      finite = finite && fabsf(row[i]) <= 3.402823466e38f;
      if (row[i] > best) {
        best = row[i];
        at = i;
      }
    }
    largest[thread] = best;
    index[thread] = finite ? at : -1;
  }
  SYNC;
  for (int half = ROW_THREADS / 2; half > 0; half /= 2) {
    THREADS {
      const int other = thread + half;
      if (thread < half) {
        if (index[thread] < 0 || index[other] < 0) {
          index[thread] = -1;
        } else if (largest[other] > largest[thread] ||
                   (largest[other] == largest[thread] && index[other] < index[thread])) {
          largest[thread] = largest[other];
          index[thread] = index[other];
        }
      }
    }
    SYNC;
  }
  THREADS {
    if (thread == 0) {
      out[blockIdx.x] = index[0];
    }
  }
}

// Keeps the device busy for a time: how a replica on a GPU is slowed for tests.
DEVICE void spin(unsigned long long duration_nanos) {
  THREADS {
    if (thread == 0) {
      const unsigned long long start = nanos();
      while (nanos() - start < duration_nanos) {
      }
    }
  }
}
