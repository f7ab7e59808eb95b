package io.warmpath.replica.cuda;

/**
 * What a forward pass knows of its rows, on the device. All are int32.
 *
 * @param tokens ids
 * @param positions place of each token in its sequence
 * @param slots where each row's keys and values go: block · tokens a block + token of the block
 * @param sampled rows that logits are wanted of
 * @param tiles tiles of {@link Kernels#attendPrefill}: first row, rows, row of {@code tables}
 * @param tables block numbers of each sequence, a row a sequence
 * @param tableWidth numbers a row of {@code tables}
 */
record RowMemory(
    DeviceMemory tokens,
    DeviceMemory positions,
    DeviceMemory slots,
    DeviceMemory sampled,
    DeviceMemory tiles,
    DeviceMemory tables,
    int tableWidth) {}
