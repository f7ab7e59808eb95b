package io.warmpath.bench.proxy;

/**
 * What the balancer holds after some time under full load.
 *
 * @param minute minutes of load so far
 * @param answer form of the answers in the last of them
 * @param requests answers in it
 * @param failures answers that were not sound
 * @param heapBytes objects that are reachable
 * @param residentBytes memory of the process, with what its heap could give back
 * @param openFiles files and sockets
 * @param threads threads of the process
 */
public record MemoryRow(
    int minute,
    AnswerForm answer,
    long requests,
    long failures,
    long heapBytes,
    long residentBytes,
    int openFiles,
    int threads) {}
