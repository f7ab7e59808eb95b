/**
 * The engine that computes on a GPU: a decoder-only transformer with seeded random weights, its
 * paged KV cache in device memory, through JCuda's driver API and kernels of our own ({@code
 * src/main/cuda}). All of JCuda's native calls are in {@link io.warmpath.replica.cuda.CudaDriver}.
 * One thread at a time uses a device.
 */
package io.warmpath.replica.cuda;
