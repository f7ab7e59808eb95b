package io.warmpath.replica.kvevents;

import java.nio.ByteBuffer;

/**
 * A batch as it is sent.
 *
 * @param seq its number, from 0 with each start of the engine
 * @param payload MessagePack
 */
record KvEventBatch(long seq, byte[] payload) {

  /** A number as it stands in a frame: 8 bytes, big-endian. */
  static byte[] frame(long seq) {
    return ByteBuffer.allocate(Long.BYTES).putLong(seq).array();
  }
}
