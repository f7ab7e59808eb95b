// out = a * w^T, with a of m rows and w of n rows, both k wide and row by row; sums in fp32.
#pragma once

#include "block.cuh"

constexpr int GEMM_THREADS = 256;
constexpr int TILE = 64;
constexpr int DEPTH = 16;
// A column more than the tile has: what the threads of a warp write then lies in different banks.
constexpr int TILE_ROW = TILE + 4;
// Each thread computes this many rows and columns of the tile.
constexpr int PATCH = 4;

// DEPTH columns of TILE rows from `row0` on, turned so that a column lies in one piece.
template <typename T>
DEVICE void load_tile(float (*tile)[TILE_ROW], const T* matrix, int row0, int rows, int column0,
                      int columns, int thread) {
  for (int i = thread; i < TILE * DEPTH; i += GEMM_THREADS) {
    const int row = i / DEPTH;
    const int column = i % DEPTH;
    const bool inside = row0 + row < rows && column0 + column < columns;
    tile[column][row] =
        inside ? load(matrix + static_cast<size_t>(row0 + row) * columns + column0 + column) : 0.0f;
  }
}

// One block a tile of the result: x over columns, y over rows.
template <typename T, typename O>
DEVICE void gemm(const T* a, const T* w, O* out, int m, int n, int k) {
  SHARED float a_tile[DEPTH][TILE_ROW];
  SHARED float w_tile[DEPTH][TILE_ROW];
  PER_THREAD(float, sums, PATCH * PATCH);
  const int row0 = blockIdx.y * TILE;
  const int column0 = blockIdx.x * TILE;
  THREADS {
    for (int i = 0; i < PATCH * PATCH; i++) {
      MINE(sums)[i] = 0;
    }
  }
  SYNC;
  for (int depth0 = 0; depth0 < k; depth0 += DEPTH) {
    THREADS {
      load_tile(a_tile, a, row0, m, depth0, k, thread);
      load_tile(w_tile, w, column0, n, depth0, k, thread);
    }
    SYNC;
    THREADS {
      const int row = thread / (TILE / PATCH) * PATCH;
      const int column = thread % (TILE / PATCH) * PATCH;
      for (int depth = 0; depth < DEPTH; depth++) {
        for (int i = 0; i < PATCH; i++) {
          for (int j = 0; j < PATCH; j++) {
            MINE(sums)[i * PATCH + j] += a_tile[depth][row + i] * w_tile[depth][column + j];
          }
        }
      }
    }
    SYNC;
  }
  THREADS {
    const int row = row0 + thread / (TILE / PATCH) * PATCH;
    const int column = column0 + thread % (TILE / PATCH) * PATCH;
    for (int i = 0; i < PATCH; i++) {
      for (int j = 0; j < PATCH; j++) {
        if (row + i < m && column + j < n) {
          store(out + static_cast<size_t>(row + i) * n + column + j, MINE(sums)[i * PATCH + j]);
        }
      }
    }
  }
}

constexpr int GEMV_THREADS = 128;
// Most rows of a.
constexpr int GEMV_ROWS = 8;

// The same for few rows, as decoding has them: one block a column of the result, so that each
// weight is read once, in one piece.
template <typename T, typename O>
DEVICE void gemv(const T* a, const T* w, O* out, int m, int n, int k) {
  SHARED float sums[GEMV_ROWS][GEMV_THREADS];
  const size_t column = blockIdx.x;
  THREADS {
    float mine[GEMV_ROWS] = {};
    for (int i = thread; i < k; i += GEMV_THREADS) {
      const float weight = load(w + column * k + i);
      for (int row = 0; row < GEMV_ROWS; row++) {
        if (row < m) {
          mine[row] += weight * load(a + static_cast<size_t>(row) * k + i);
        }
      }
    }
    for (int row = 0; row < GEMV_ROWS; row++) {
      sums[row][thread] = mine[row];
    }
  }
  SYNC;
  for (int half = GEMV_THREADS / 2; half > 0; half /= 2) {
    THREADS {
      for (int i = thread; i < GEMV_ROWS * half; i += GEMV_THREADS) {
        sums[i / half][i % half] += sums[i / half][i % half + half];
      }
    }
    SYNC;
  }
  THREADS {
    if (thread < m) {
      store(out + thread * static_cast<size_t>(n) + column, sums[thread][0]);
    }
  }
}
