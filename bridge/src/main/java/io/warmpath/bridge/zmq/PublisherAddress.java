package io.warmpath.bridge.zmq;

/**
 * Where one rank of an engine publishes.
 *
 * @param rank data-parallel rank
 * @param events address of its stream, {@code tcp://host:port}
 * @param replay address that it answers at; null where it does not
 * @param topic what its topics begin with; empty for all
 */
public record PublisherAddress(int rank, String events, String replay, String topic) {}
