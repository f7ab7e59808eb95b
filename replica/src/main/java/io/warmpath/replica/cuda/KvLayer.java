package io.warmpath.replica.cuda;

/** One layer's paged keys and values: {@code [block][token of the block][head][dimension]}. */
record KvLayer(DeviceMemory keys, DeviceMemory values, int blockTokens) {}
