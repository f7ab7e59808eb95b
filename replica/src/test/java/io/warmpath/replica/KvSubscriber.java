package io.warmpath.replica;

import io.warmpath.replica.kvevents.KvEventsConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.ArrayValue;
import org.msgpack.value.Value;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** Reads what a replica publishes in arrays, and asks for replays. */
final class KvSubscriber implements AutoCloseable {

  private static final int PATIENCE_MS = 20_000;

  /** Some connections of jeromq 0.6.0 never begin to shake hands (zeromq/jeromq#1022). */
  static final int HANDSHAKE_MS = 1_000;

  /** A batch as it came. */
  record Message(long seq, List<Value> events) {

    /** Hashes of the blocks that it says are stored. */
    List<String> stored() {
      return events.stream()
          .map(Value::asArrayValue)
          .filter(event -> event.get(0).toString().equals("BlockStored"))
          .flatMap(event -> event.get(1).asArrayValue().list().stream())
          .map(Value::toString)
          .toList();
    }

    boolean clears() {
      return events.stream()
          .anyMatch(event -> event.asArrayValue().get(0).toString().equals("AllBlocksCleared"));
    }
  }

  private final ZContext context = new ZContext();
  private final ZMQ.Socket live = context.createSocket(SocketType.SUB);
  private final ZMQ.Socket replay = context.createSocket(SocketType.DEALER);

  KvSubscriber(ReplicaServer replica) {
    live.setReceiveTimeOut(PATIENCE_MS);
    live.subscribe(ZMQ.SUBSCRIPTION_ALL);
    live.setHandshakeIvl(HANDSHAKE_MS);
    live.connect(replica.kvEventsEndpoint());
    replay.setReceiveTimeOut(PATIENCE_MS);
    replay.setHandshakeIvl(HANDSHAKE_MS);
    replay.connect(replica.kvEventsReplayEndpoint());
  }

  /** On free ports, with replay. */
  static KvEventsConfig.Builder anywhere() {
    return KvEventsConfig.builder()
        .endpoint("tcp://127.0.0.1:*")
        .replayEndpoint("tcp://127.0.0.1:*");
  }

  /** The next batch that was published. */
  Message next() {
    byte[] topic = live.recv();
    if (topic == null) {
      throw new AssertionError("nothing is published");
    }
    return message(live.recv(), live.recv());
  }

  /** The next batch if it is there already, else null. */
  Message poll() {
    byte[] topic = live.recv(ZMQ.DONTWAIT);
    return topic == null ? null : message(live.recv(), live.recv());
  }

  /** Everything from a number on. */
  List<Message> replay(long fromSeq) {
    replay.send(new byte[0], ZMQ.SNDMORE);
    replay.send(ByteBuffer.allocate(Long.BYTES).putLong(fromSeq).array(), 0);
    List<Message> messages = new ArrayList<>();
    while (true) {
      byte[] empty = replay.recv();
      if (empty == null || empty.length > 0) {
        throw new AssertionError("no answer, or one that does not begin with an empty frame");
      }
      byte[] seq = replay.recv();
      byte[] payload = replay.recv();
      if (payload.length == 0) {
        if (ByteBuffer.wrap(seq).getLong() != -1) {
          throw new AssertionError("the end has a number");
        }
        return messages;
      }
      messages.add(message(seq, payload));
    }
  }

  private static Message message(byte[] seq, byte[] payload) {
    try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(payload)) {
      ArrayValue batch = unpacker.unpackValue().asArrayValue();
      return new Message(ByteBuffer.wrap(seq).getLong(), batch.get(1).asArrayValue().list());
    } catch (IOException e) {
      throw new UncheckedIOException(new String(payload, StandardCharsets.ISO_8859_1), e);
    }
  }

  @Override
  public void close() {
    context.close();
  }
}
