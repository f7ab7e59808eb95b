package io.warmpath.bridge.zmq;

/**
 * How it stands with one engine.
 *
 * @param replica its name
 * @param model the model that it serves
 * @param incarnation when it started, as far as was seen
 * @param blocks blocks that it holds
 * @param followedBlocks blocks that are followed, with those whose Warmpath hash is not known
 * @param suspectRanks ranks of which messages are missing that may still come
 * @param behind whether Kafka lacks something that is still to be told anew
 * @param resyncs times that all was told anew
 * @param counts what was counted since it is followed
 */
public record EngineState(
    String replica,
    String model,
    long incarnation,
    long blocks,
    long followedBlocks,
    int suspectRanks,
    boolean behind,
    long resyncs,
    EngineCounts counts) {}
