// Grouped-query attention over paged KV (Ainslie et al. 2023, Kwon et al. 2023), softmax in one pass
// with a running maximum (Milakov and Gimelshein 2018). A sequence's block table says which blocks of
// the cache hold its tokens.
#pragma once

#include "block.cuh"

constexpr int ATTENTION_THREADS = 128;
// A thread sums up one dimension of a head.
constexpr int MAX_HEAD_DIM = ATTENTION_THREADS;
// Query heads that share a head of keys and values.
constexpr int MAX_GROUP = 16;

// Where a token's keys or values lie in the cache.
DEVICE size_t paged(const int* table, int token, int block_tokens, int kv_heads, int kv_head,
                    int head_dim) {
  const size_t slot =
      static_cast<size_t>(table[token / block_tokens]) * block_tokens + token % block_tokens;
  return (slot * kv_heads + kv_head) * head_dim;
}

// One query a sequence. One block a sequence (x) and head of keys and values (y), which reads each
// key and value once for all the query heads that share it.
template <typename T>
DEVICE void attend_decode(const T* qkv, const T* keys, const T* values, const int* tables,
                          const int* positions, T* out, int table_width, int block_tokens,
                          int heads, int kv_heads, int head_dim) {
  SHARED float query[MAX_GROUP][MAX_HEAD_DIM];
  SHARED float score[MAX_GROUP][ATTENTION_THREADS];
  SHARED float largest[MAX_GROUP];
  SHARED float sum[MAX_GROUP];
  SHARED float fade[MAX_GROUP];
  PER_THREAD(float, weighted, MAX_GROUP);
  const size_t row = blockIdx.x;
  const int kv_head = blockIdx.y;
  const int group = heads / kv_heads;
  const int context = positions[row] + 1;
  const int* table = tables + row * table_width;
  const T* q = qkv + (row * (heads + 2 * kv_heads) + kv_head * group) * head_dim;
  THREADS {
    for (int g = 0; g < MAX_GROUP; g++) {
      MINE(weighted)[g] = 0;
      if (g < group && thread < head_dim) {
        query[g][thread] = load(q + g * head_dim + thread) / sqrtf(static_cast<float>(head_dim));
      }
    }
    if (thread < group) {
      largest[thread] = -INFINITY;
      sum[thread] = 0;
    }
  }
  SYNC;
  for (int start = 0; start < context; start += ATTENTION_THREADS) {
    const int tokens = context - start < ATTENTION_THREADS ? context - start : ATTENTION_THREADS;
    THREADS {
      if (thread < tokens) {
        const T* key =
            keys + paged(table, start + thread, block_tokens, kv_heads, kv_head, head_dim);
        float product[MAX_GROUP] = {};
        for (int d = 0; d < head_dim; d++) {
          const float k = load(key + d);
          for (int g = 0; g < MAX_GROUP; g++) {
            if (g < group) {
              product[g] += k * query[g][d];
            }
          }
        }
        for (int g = 0; g < group; g++) {
          score[g][thread] = product[g];
        }
      }
    }
    SYNC;
    THREADS {
      if (thread < group) {
        const int g = thread;
        float most = largest[g];
        for (int t = 0; t < tokens; t++) {
          most = fmaxf(most, score[g][t]);
        }
        fade[g] = expf(largest[g] - most);
        largest[g] = most;
        sum[g] *= fade[g];
        for (int t = 0; t < tokens; t++) {
          score[g][t] = expf(score[g][t] - most);
          sum[g] += score[g][t];
        }
      }
    }
    SYNC;
    THREADS {
      if (thread < head_dim) {
        for (int g = 0; g < MAX_GROUP; g++) {
          if (g < group) {
            MINE(weighted)[g] *= fade[g];
          }
        }
        for (int t = 0; t < tokens; t++) {
          const float v = load(
              values + paged(table, start + t, block_tokens, kv_heads, kv_head, head_dim) + thread);
          for (int g = 0; g < MAX_GROUP; g++) {
            if (g < group) {
              MINE(weighted)[g] += score[g][t] * v;
            }
          }
        }
      }
    }
    SYNC;
  }
  THREADS {
    if (thread < head_dim) {
      for (int g = 0; g < MAX_GROUP; g++) {
        if (g < group) {
          store(out + (row * heads + kv_head * group + g) * head_dim + thread,
                MINE(weighted)[g] / sum[g]);
        }
      }
    }
  }
}

constexpr int QUERIES = 16;
constexpr int KEYS = 32;

// Many queries a sequence, each seeing the tokens up to its own. One block a tile of QUERIES rows
// of one sequence (x) and query head (y), which reads each key and value once for all of its rows.
// A tile is three numbers: its first row, its rows, and which block table is its sequence's.
template <typename T>
DEVICE void attend_prefill(const T* qkv, const T* keys, const T* values, const int* tables,
                           const int* positions, const int* tiles, T* out, int table_width,
                           int block_tokens, int heads, int kv_heads, int head_dim) {
  SHARED float query[QUERIES][MAX_HEAD_DIM];
  // Keys, then values. One number more a row: threads that read one column meet different banks.
  SHARED float cached[KEYS][MAX_HEAD_DIM + 1];
  SHARED float score[QUERIES][KEYS];
  SHARED float largest[QUERIES];
  SHARED float sum[QUERIES];
  SHARED float fade[QUERIES];
  PER_THREAD(float, weighted, QUERIES);
  const int head = blockIdx.y;
  const int kv_head = head / (heads / kv_heads);
  const int row0 = tiles[3 * blockIdx.x];
  const int rows = tiles[3 * blockIdx.x + 1];
  const int* table = tables + static_cast<size_t>(tiles[3 * blockIdx.x + 2]) * table_width;
  const int context = positions[row0 + rows - 1] + 1;
  const size_t qkv_width = static_cast<size_t>(heads + 2 * kv_heads) * head_dim;
  THREADS {
    for (int q = 0; q < QUERIES; q++) {
      MINE(weighted)[q] = 0;
      if (q < rows && thread < head_dim) {
        query[q][thread] = load(qkv + (row0 + q) * qkv_width + head * head_dim + thread) /
                           sqrtf(static_cast<float>(head_dim));
      }
    }
    if (thread < QUERIES) {
      largest[thread] = -INFINITY;
      sum[thread] = 0;
    }
  }
  SYNC;
  for (int start = 0; start < context; start += KEYS) {
    const int tokens = context - start < KEYS ? context - start : KEYS;
    THREADS {
      if (thread < head_dim) {
        for (int t = 0; t < tokens; t++) {
          cached[t][thread] = load(
              keys + paged(table, start + t, block_tokens, kv_heads, kv_head, head_dim) + thread);
        }
      }
    }
    SYNC;
    THREADS {
      for (int i = thread; i < rows * KEYS; i += ATTENTION_THREADS) {
        const int q = i / KEYS;
        const int t = i % KEYS;
        float product = -INFINITY;
        if (t < tokens && start + t <= positions[row0 + q]) {
          product = 0;
          for (int d = 0; d < head_dim; d++) {
            product += query[q][d] * cached[t][d];
          }
        }
        score[q][t] = product;
      }
    }
    SYNC;
    THREADS {
      if (thread < rows) {
        const int q = thread;
        // Each row sees the first token, so this is finite from the first tile on.
        float most = largest[q];
        for (int t = 0; t < KEYS; t++) {
          most = fmaxf(most, score[q][t]);
        }
        fade[q] = expf(largest[q] - most);
        largest[q] = most;
        sum[q] *= fade[q];
        for (int t = 0; t < KEYS; t++) {
          score[q][t] = expf(score[q][t] - most);
          sum[q] += score[q][t];
        }
      }
      // The phase before was the last to read the keys.
      if (thread < head_dim) {
        for (int t = 0; t < tokens; t++) {
          cached[t][thread] = load(
              values + paged(table, start + t, block_tokens, kv_heads, kv_head, head_dim) + thread);
        }
      }
    }
    SYNC;
    THREADS {
      if (thread < head_dim) {
        for (int q = 0; q < QUERIES; q++) {
          if (q < rows) {
            MINE(weighted)[q] *= fade[q];
          }
        }
        for (int t = 0; t < tokens; t++) {
          const float v = cached[t][thread];
          for (int q = 0; q < QUERIES; q++) {
            if (q < rows) {
              MINE(weighted)[q] += score[q][t] * v;
            }
          }
        }
      }
    }
    SYNC;
  }
  THREADS {
    if (thread < head_dim) {
      for (int q = 0; q < QUERIES; q++) {
        if (q < rows) {
          store(out + (static_cast<size_t>(row0 + q) * heads + head) * head_dim + thread,
                MINE(weighted)[q] / sum[q]);
        }
      }
    }
  }
}
