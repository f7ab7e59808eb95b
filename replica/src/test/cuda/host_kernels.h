// The kernels, compiled for a CPU.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct host_kernel {
  const char* name;
  void (*run)(void** parameters);
  int parameters;
  // Bytes of each parameter.
  const size_t* sizes;
};

extern const struct host_kernel host_kernels[];
extern const int host_kernel_count;

// Runs all blocks of a launch; `backwards` takes blocks and threads in the other order.
void host_launch(const struct host_kernel* kernel, const unsigned grid[3], const unsigned block[3],
                 void** parameters, int backwards);

#ifdef __cplusplus
}
#endif
