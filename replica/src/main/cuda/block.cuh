// How the kernels are written, so that one source runs on a GPU and, for tests, on a CPU.
//
// A kernel is a row of phases. In a phase each thread of the block works for itself:
//
//   PER_THREAD(float, sum, 4);      values that a thread keeps from phase to phase
//   THREADS { ... MINE(sum) ... }   a phase; `thread` is the thread's index in its block
//   SYNC;                           the end of a phase: the block waits for all of its threads
//
// On a GPU these are threadIdx.x, registers and __syncthreads(). On a CPU a phase is a loop over the
// threads. There a phase after one that was not ended by SYNC is refused, and tests turn the order of
// threads round: where a thread reads what another one writes in the same phase, results then differ.
#pragma once

#ifdef __CUDACC__

#include <cuda_fp16.h>

typedef __half half_t;

#define KERNEL extern "C" __global__ void
#define DEVICE __device__ __forceinline__
#define SHARED __shared__
#define PER_THREAD(type, name, count) type name[count]
#define MINE(name) name
#define THREADS if ([[maybe_unused]] const int thread = static_cast<int>(threadIdx.x); true)
#define SYNC __syncthreads()

DEVICE float load(const half_t* from) { return __half2float(*from); }
DEVICE float load(const float* from) { return *from; }
DEVICE void store(half_t* to, float value) { *to = __float2half_rn(value); }
DEVICE void store(float* to, float value) { *to = value; }

// A product that is rounded: not one half of a fused operation, which other machines do not have.
DEVICE float rounded_product(float a, float b) { return __fmul_rn(a, b); }

// Nanoseconds of the device's clock.
DEVICE unsigned long long nanos() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

#else
#include "block_on_host.h"
#endif
