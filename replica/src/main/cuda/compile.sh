#!/usr/bin/env bash
# Compiles the kernels to PTX: compile.sh [FILE]. Needs nvcc (CUDA 12 or 13), no GPU.
#
# compute_75 runs on every GPU since Turing. The version is lowered to 8.0, which drivers from CUDA
# 12.0 on take: the kernels use nothing newer, and nvcc would write its own.
set -euo pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-$here/../resources/cuda/kernels.ptx}
sources=(attention.cuh block.cuh kernels.cu matrix.cuh rows.cuh)
mkdir -p "$(dirname "$out")"
made=$(mktemp)
trap 'rm -f "$made"' EXIT
cd "$here"
nvcc -std=c++17 -arch=compute_75 -Werror all-warnings -ptx kernels.cu -o "$made"
{
  echo "// Made by replica/src/main/cuda/compile.sh; sha256 of the sources, one after another:"
  echo "// $(cat "${sources[@]}" | sha256sum | cut -d ' ' -f 1)"
  sed 's/^\.version .*/.version 8.0/' "$made"
} > "$out"
