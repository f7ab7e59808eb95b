// The kernels by name. Those that touch weights or activations come in two forms, by what these are
// stored as: _f16 and _f32. Sums and logits are fp32 in both.
#include "attention.cuh"
#include "matrix.cuh"
#include "rows.cuh"

#define KERNELS(form, T)                                                                           \
  KERNEL fill_random_##form(T* out, unsigned long long count, unsigned long long seed,             \
                            float scale, float offset) {                                           \
    fill_random(out, count, seed, scale, offset);                                                  \
  }                                                                                                \
  KERNEL gather_rows_##form(const int* index, const T* table, T* out, int width) {                 \
    gather_rows(index, table, out, width);                                                         \
  }                                                                                                \
  KERNEL rms_norm_##form(const T* in, const T* weight, T* out, int width, float epsilon) {         \
    rms_norm(in, weight, out, width, epsilon);                                                     \
  }                                                                                                \
  KERNEL rope_and_store_##form(T* qkv, const int* positions, const int* slots,                     \
                               const float* frequencies, T* keys, T* values, int heads,            \
                               int kv_heads, int head_dim) {                                       \
    rope_and_store(qkv, positions, slots, frequencies, keys, values, heads, kv_heads, head_dim);   \
  }                                                                                                \
  KERNEL swiglu_##form(const T* gate_up, T* out, int width) { swiglu(gate_up, out, width); }       \
  KERNEL add_##form(T* sum, const T* x, int width) { add(sum, x, width); }                         \
  KERNEL gemm_##form(const T* a, const T* w, T* out, int m, int n, int k) {                        \
    gemm(a, w, out, m, n, k);                                                                      \
  }                                                                                                \
  KERNEL gemm_logits_##form(const T* a, const T* w, float* out, int m, int n, int k) {             \
    gemm(a, w, out, m, n, k);                                                                      \
  }                                                                                                \
  KERNEL gemv_##form(const T* a, const T* w, T* out, int m, int n, int k) {                        \
    gemv(a, w, out, m, n, k);                                                                      \
  }                                                                                                \
  KERNEL gemv_logits_##form(const T* a, const T* w, float* out, int m, int n, int k) {             \
    gemv(a, w, out, m, n, k);                                                                      \
  }                                                                                                \
  KERNEL attend_prefill_##form(const T* qkv, const T* keys, const T* values, const int* tables,    \
                               const int* positions, const int* tiles, T* out, int table_width,    \
                               int block_tokens, int heads, int kv_heads, int head_dim) {          \
    attend_prefill(qkv, keys, values, tables, positions, tiles, out, table_width, block_tokens,    \
                   heads, kv_heads, head_dim);                                                     \
  }                                                                                                \
  KERNEL attend_decode_##form(const T* qkv, const T* keys, const T* values, const int* tables,     \
                              const int* positions, T* out, int table_width, int block_tokens,     \
                              int heads, int kv_heads, int head_dim) {                             \
    attend_decode(qkv, keys, values, tables, positions, out, table_width, block_tokens, heads,     \
                  kv_heads, head_dim);                                                             \
  }

KERNELS(f16, half_t)
KERNELS(f32, float)
KERNEL arg_max_f32(const float* logits, int* out, int width) { arg_max(logits, out, width); }
KERNEL spin_nanos(unsigned long long duration_nanos) { spin(duration_nanos); }
