package io.warmpath.bridge.follow;

/**
 * A message of an engine.
 *
 * @param seq its number, from 0 with each start of the engine
 * @param payload the batch of events
 */
public record Message(long seq, byte[] payload) {}
