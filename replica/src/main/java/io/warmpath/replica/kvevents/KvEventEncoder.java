package io.warmpath.replica.kvevents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/**
 * Writes batches as vLLM's msgspec does. Fields that have their default are left out of maps, as
 * there; arrays have all fields.
 */
final class KvEventEncoder {

  /** Of the events; a replica's blocks are where its GPU is. */
  private static final String MEDIUM = "GPU";

  private static final int RANK = 0;
  private static final int GROUP = 0;
  private static final String SPEC_KIND = "full_attention";
  private static final double MS_PER_SECOND = 1_000;

  private static final int HASH_BYTES = 32;

  private final KvEventEncoding encoding;
  private final BlockHashForm hashForm;
  private final int blockTokens;

  KvEventEncoder(KvEventEncoding encoding, BlockHashForm hashForm, int blockTokens) {
    this.encoding = encoding;
    this.hashForm = hashForm;
    this.blockTokens = blockTokens;
  }

  /**
   * A batch.
   *
   * @param epochMs its time
   * @param hashes from a chained hash to the 32 bytes that the engine calls the block
   */
  byte[] encode(long epochMs, List<KvEvent> events, LongFunction<byte[]> hashes) {
    try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
      Struct batch = new Struct(packer, encoding.batch, 3);
      batch.field("ts").packDouble(epochMs / MS_PER_SECOND);
      batch.field("events").packArrayHeader(events.size());
      for (KvEvent event : events) {
        pack(packer, event, hashes);
      }
      batch.field("data_parallel_rank").packInt(RANK);
      return packer.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException("a buffer in memory", e);
    }
  }

  private void pack(MessageBufferPacker packer, KvEvent event, LongFunction<byte[]> hashes)
      throws IOException {
    if (event instanceof KvEvent.BlockStored stored) {
      packStored(packer, stored, hashes);
    } else if (event instanceof KvEvent.BlockRemoved removed) {
      packRemoved(packer, removed, hashes);
    } else {
      tagged(packer, "AllBlocksCleared", 0);
    }
  }

  private void packStored(
      MessageBufferPacker packer, KvEvent.BlockStored stored, LongFunction<byte[]> hashes)
      throws IOException {
    boolean array = encoding.event == KvEventEncoding.Layout.ARRAY;
    Struct event = tagged(packer, "BlockStored", array ? 11 : 10);
    event.field("block_hashes").packArrayHeader(stored.hashes().length);
    for (long hash : stored.hashes()) {
      packHash(packer, hash, hashes);
    }
    event.field("parent_block_hash");
    if (stored.parent() == null) {
      packer.packNil();
    } else {
      packHash(packer, stored.parent(), hashes);
    }
    event.field("token_ids").packArrayHeader(stored.tokenIds().length);
    for (int id : stored.tokenIds()) {
      packer.packLong(Integer.toUnsignedLong(id));
    }
    event.field("block_size").packInt(blockTokens);
    event.field("lora_id").packNil();
    event.field("medium").packString(MEDIUM);
    event.field("lora_name").packNil();
    // No salt, no adapter, no images: nothing but tokens is in a replica's hashes.
    event.field("extra_keys").packArrayHeader(stored.hashes().length);
    for (int i = 0; i < stored.hashes().length; i++) {
      packer.packNil();
    }
    event.field("group_idx").packInt(GROUP);
    event.field("kv_cache_spec_kind").packString(SPEC_KIND);
    if (array) {
      event.field("kv_cache_spec_sliding_window").packNil();
    }
  }

  private void packRemoved(
      MessageBufferPacker packer, KvEvent.BlockRemoved removed, LongFunction<byte[]> hashes)
      throws IOException {
    Struct event = tagged(packer, "BlockRemoved", 3);
    event.field("block_hashes").packArrayHeader(1);
    packHash(packer, removed.hash(), hashes);
    event.field("medium").packString(MEDIUM);
    event.field("group_idx").packInt(GROUP);
  }

  private Struct tagged(MessageBufferPacker packer, String name, int fields) throws IOException {
    Struct struct = new Struct(packer, encoding.event, 1 + fields);
    struct.field("type").packString(name);
    return struct;
  }

  private void packHash(MessageBufferPacker packer, long hash, LongFunction<byte[]> hashes)
      throws IOException {
    byte[] bytes = hashes.apply(hash);
    if (hashForm == BlockHashForm.BYTES) {
      packer.packBinaryHeader(HASH_BYTES).writePayload(bytes);
    } else {
      packer.packBigInteger(
          new BigInteger(1, Arrays.copyOfRange(bytes, HASH_BYTES - Long.BYTES, HASH_BYTES)));
    }
  }

  /** Writes fields in order; their names stand in maps only. */
  private record Struct(MessageBufferPacker packer, KvEventEncoding.Layout layout) {

    Struct(MessageBufferPacker packer, KvEventEncoding.Layout layout, int fields)
        throws IOException {
      this(packer, layout);
      if (layout == KvEventEncoding.Layout.ARRAY) {
        packer.packArrayHeader(fields);
      } else {
        packer.packMapHeader(fields);
      }
    }

    MessageBufferPacker field(String name) throws IOException {
      if (layout == KvEventEncoding.Layout.MAP) {
        packer.packString(name);
      }
      return packer;
    }
  }
}
