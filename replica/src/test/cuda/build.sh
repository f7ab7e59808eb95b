#!/usr/bin/env bash
# Builds the emulated driver: build.sh FOLDER makes FOLDER/libcuda.so.1.
set -euo pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
kernels=$here/../../main/cuda
out=$1
mkdir -p "$out"
warn=(-Wall -Wextra -Werror)
gcc -std=c17 -O2 -fPIC "${warn[@]}" -c "$here/emulated_driver.c" -o "$out/emulated_driver.o"
# No contraction: the compiler's choice of fused operations is not the GPU's anyway.
g++ -std=c++17 -O3 -fPIC -fno-exceptions -fno-rtti -ffp-contract=off "${warn[@]}" \
  -Wno-sign-compare -I "$here" -I "$kernels" -x c++ -c "$here/host_kernels.cpp" -o "$out/host_kernels.o"
gcc -shared -Wl,-soname,libcuda.so.1 -Wl,-z,defs "$out/emulated_driver.o" "$out/host_kernels.o" \
  -o "$out/libcuda.so.1" -lm -lpthread
