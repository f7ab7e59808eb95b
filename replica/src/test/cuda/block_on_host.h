// What block.cuh needs where the kernels are compiled for a CPU: a block is run by one thread of the
// machine, phase by phase, and a phase is a loop over the block's threads.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

struct Extent {
  unsigned x, y, z;
};

constexpr int MOST_THREADS = 1024;

inline thread_local Extent gridDim, blockDim, blockIdx;
// Last thread and block first. A kernel in which one thread reads what another writes in the same
// phase gives other results then.
inline thread_local bool reversed;
// Whether the block has waited for all of its threads since the last phase.
inline thread_local bool synced;

// The first step of a phase.
inline int enter_phase() {
  if (!synced) {
    std::fprintf(stderr, "emulated CUDA: a phase follows another one without SYNC\n");
    std::abort();
  }
  synced = false;
  return 0;
}

inline int thread_at(int step) {
  return reversed ? static_cast<int>(blockDim.x) - 1 - step : step;
}

#define KERNEL static void
#define DEVICE inline
#define SHARED
#define PER_THREAD(type, name, count) type name[MOST_THREADS][count]
#define MINE(name) name[thread]
#define THREADS                                                        \
  for (int step = enter_phase(), thread = thread_at(0); step < static_cast<int>(blockDim.x); \
       thread = thread_at(++step))
#define SYNC synced = true

struct half_t {
  uint16_t bits;
};

inline float load(const half_t* from) {
  const uint32_t sign = static_cast<uint32_t>(from->bits & 0x8000) << 16;
  const uint32_t exponent = from->bits >> 10 & 0x1f;
  const uint32_t fraction = from->bits & 0x3ff;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  const uint32_t bits =
      sign | (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | fraction << 13;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// To the nearest, of two the even one.
inline void store(half_t* to, float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const uint16_t sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  bits &= 0x7fffffff;
  if (bits > 0x7f800000) {
    to->bits = sign | 0x7fff;
  } else if (bits >= 0x477ff000) {
    to->bits = sign | 0x7c00;
  } else if (bits < 0x38800000) {
    // Below the least normal one: steps of 2^-24, which adding 0.5 leaves for the hardware to round.
    float magnitude;
    std::memcpy(&magnitude, &bits, sizeof magnitude);
    magnitude += 0.5f;
    std::memcpy(&bits, &magnitude, sizeof bits);
    to->bits = sign | static_cast<uint16_t>(bits - 0x3f000000);
  } else {
    to->bits = sign | static_cast<uint16_t>((bits - 0x38000000 + 0xfff + (bits >> 13 & 1)) >> 13);
  }
}

inline float rounded_product(float a, float b) { return a * b; }
inline float load(const float* from) { return *from; }
inline void store(float* to, float value) { *to = value; }

inline unsigned long long nanos() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ull + now.tv_nsec;
}
