#include "host_kernels.h"

#include <utility>

#include "kernels.cu"

namespace {

template <auto Kernel, typename... P, size_t... I>
void call(void (*)(P...), void** parameters, std::index_sequence<I...>) {
  Kernel(*static_cast<P*>(parameters[I])...);
}

template <auto Kernel>
struct Entry;

template <typename... P, void (*Kernel)(P...)>
struct Entry<Kernel> {
  static constexpr size_t sizes[] = {sizeof(P)...};
  static void run(void** parameters) {
    call<Kernel>(Kernel, parameters, std::make_index_sequence<sizeof...(P)>());
  }
  static constexpr host_kernel named(const char* name) {
    return {name, run, static_cast<int>(sizeof...(P)), sizes};
  }
};

}  // namespace

#define ENTRY(name) Entry<name>::named(#name)
#define ENTRIES(form)                                                                            \
  ENTRY(fill_random_##form), ENTRY(gather_rows_##form), ENTRY(rms_norm_##form),                  \
      ENTRY(rope_and_store_##form), ENTRY(swiglu_##form), ENTRY(add_##form), ENTRY(gemm_##form), \
      ENTRY(gemm_logits_##form), ENTRY(gemv_##form), ENTRY(gemv_logits_##form),                  \
      ENTRY(attend_prefill_##form), ENTRY(attend_decode_##form)

extern "C" {

const host_kernel host_kernels[] = {ENTRIES(f16), ENTRIES(f32), ENTRY(arg_max_f32),
                                    ENTRY(spin_nanos)};
const int host_kernel_count = sizeof host_kernels / sizeof host_kernels[0];

void host_launch(const host_kernel* kernel, const unsigned grid[3], const unsigned block[3],
                 void** parameters, int backwards) {
  gridDim = {grid[0], grid[1], grid[2]};
  blockDim = {block[0], block[1], block[2]};
  reversed = backwards;
  const unsigned long long blocks = 1ull * grid[0] * grid[1] * grid[2];
  for (unsigned long long i = 0; i < blocks; i++) {
    const unsigned long long at = backwards ? blocks - 1 - i : i;
    blockIdx = {static_cast<unsigned>(at % grid[0]), static_cast<unsigned>(at / grid[0] % grid[1]),
                static_cast<unsigned>(at / grid[0] / grid[1])};
    synced = true;
    kernel->run(parameters);
  }
}
}
