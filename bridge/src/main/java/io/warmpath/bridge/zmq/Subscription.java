package io.warmpath.bridge.zmq;

import io.warmpath.bridge.follow.EngineFollower;
import io.warmpath.bridge.follow.EngineListener;
import io.warmpath.bridge.follow.FollowCounts;
import io.warmpath.bridge.follow.Message;
import io.warmpath.bridge.follow.ReplaySettings;
import io.warmpath.bridge.follow.ReplaySocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZEvent;
import org.zeromq.ZMQ;

/** The sockets to one publisher: its stream, what becomes of the connection, and its answers. */
final class Subscription implements ReplaySocket {

  /** Frames of a message of the stream: topic, number, batch. */
  private static final int STREAM_FRAMES = 3;

  /** More frames than this are read and thrown away. */
  private static final int MAX_FRAMES = 8;

  private static final long MAX_MESSAGE_BYTES = 32L << 20;
  private static final int QUEUED_MESSAGES = 100_000;
  private static final int RECONNECT_MS = 100;
  private static final int MAX_RECONNECT_MS = 2_000;

  /** Some connections of jeromq 0.6.0 never begin to shake hands (zeromq/jeromq#1022). */
  private static final int HANDSHAKE_MS = 1_000;

  private static final int HEARTBEAT_MS = 10_000;
  private static final int HEARTBEAT_TIMEOUT_MS = 30_000;
  private static final long END = -1;
  private static final byte[] EMPTY = {};

  /** Messages taken in a row, before others get their turn. */
  private static final int TURN = 1_024;

  private final ZContext context;
  private final ZMQ.Poller poller;
  private final PublisherAddress address;
  private final FollowCounts counts;
  private final EngineFollower follower;
  private final ZMQ.Socket stream;
  private final ZMQ.Socket monitor;

  /** Not its index in the poller: that changes when another socket leaves. */
  private final ZMQ.PollItem streamItem;

  private ZMQ.Socket replay;
  private ZMQ.PollItem replayItem;

  Subscription(
      ZContext context,
      ZMQ.Poller poller,
      PublisherAddress address,
      ReplaySettings settings,
      EngineListener listener,
      FollowCounts counts) {
    this.context = context;
    this.poller = poller;
    this.address = address;
    this.counts = counts;
    stream = socket(SocketType.SUB);
    stream.setRcvHWM(QUEUED_MESSAGES);
    stream.subscribe(address.topic());
    String watched = "inproc://monitor-" + System.identityHashCode(this) + "-" + address.events();
    stream.monitor(watched, ZMQ.EVENT_DISCONNECTED);
    monitor = context.createSocket(SocketType.PAIR);
    monitor.connect(watched);
    stream.connect(address.events());
    streamItem = new ZMQ.PollItem(stream, ZMQ.Poller.POLLIN);
    poller.register(streamItem);
    follower =
        new EngineFollower(listener, counts, settings, address.replay() == null ? null : this);
    follower.start(System.nanoTime());
  }

  private ZMQ.Socket socket(SocketType type) {
    ZMQ.Socket socket = context.createSocket(type);
    socket.setLinger(0);
    socket.setIPv6(true);
    socket.setMaxMsgSize(MAX_MESSAGE_BYTES);
    socket.setReconnectIVL(RECONNECT_MS);
    socket.setReconnectIVLMax(MAX_RECONNECT_MS);
    socket.setHandshakeIvl(HANDSHAKE_MS);
    socket.setHeartbeatIvl(HEARTBEAT_MS);
    socket.setHeartbeatTimeout(HEARTBEAT_TIMEOUT_MS);
    return socket;
  }

  /** Whether messages are missing that may still come. */
  boolean isSuspect() {
    return follower.isSuspect();
  }

  /** Takes what has come, and does what it is time for; whether there may be more at once. */
  boolean turn(long nowNanos) {
    while (ZEvent.recv(monitor, ZMQ.DONTWAIT) != null) {
      follower.onDisconnected();
    }
    boolean more = false;
    // Answers come first: what the stream holds waits for them.
    if (replay != null && replayItem.isReadable()) {
      more = readAnswer(nowNanos);
    }
    if (streamItem.isReadable()) {
      more |= readStream(nowNanos);
    }
    follower.tick(nowNanos);
    return more;
  }

  private boolean readStream(long nowNanos) {
    for (int i = 0; i < TURN; i++) {
      List<byte[]> frames = frames(stream);
      if (frames.isEmpty()) {
        return false;
      }
      Message message = frames.size() == STREAM_FRAMES ? message(frames) : null;
      if (message == null) {
        counts.malformedMessages.increment();
      } else {
        follower.onMessage(message, nowNanos);
      }
    }
    return true;
  }

  /** Whatever frames stand before them, an answer's last two are the number and the batch. */
  private boolean readAnswer(long nowNanos) {
    ZMQ.Socket asked = replay;
    for (int i = 0; i < TURN && replay == asked; i++) {
      List<byte[]> frames = frames(asked);
      if (frames.isEmpty()) {
        return false;
      }
      if (isEnd(frames)) {
        close(asked);
        follower.onReplayEnd(nowNanos);
        return false;
      }
      Message message = message(frames);
      if (message == null) {
        counts.malformedMessages.increment();
      } else {
        follower.onReplayed(message, nowNanos);
      }
    }
    return true;
  }

  private static boolean isEnd(List<byte[]> frames) {
    byte[] number = frames.size() < 2 ? EMPTY : frames.get(frames.size() - 2);
    return number.length == Long.BYTES && ByteBuffer.wrap(number).getLong() == END;
  }

  /** The message that the last two frames are; null if they are none. */
  private static Message message(List<byte[]> frames) {
    int n = frames.size();
    if (n < 2 || frames.get(n - 2).length != Long.BYTES) {
      return null;
    }
    long seq = ByteBuffer.wrap(frames.get(n - 2)).getLong();
    return seq < 0 || seq == Long.MAX_VALUE ? null : new Message(seq, frames.get(n - 1));
  }

  /** The frames of the next message; none if there is none. */
  private static List<byte[]> frames(ZMQ.Socket socket) {
    byte[] frame = socket.recv(ZMQ.DONTWAIT);
    if (frame == null) {
      return List.of();
    }
    List<byte[]> frames = new ArrayList<>(STREAM_FRAMES + 1);
    frames.add(frame);
    while (socket.hasReceiveMore()) {
      frame = socket.recv();
      if (frames.size() < MAX_FRAMES) {
        frames.add(frame);
      }
    }
    return frames;
  }

  @Override
  public void ask(long fromSeq) {
    // A socket a question: what is left of another answer goes with the other socket.
    if (replay != null) {
      close(replay);
    }
    replay = socket(SocketType.DEALER);
    replay.setRcvHWM(0);
    replay.connect(address.replay());
    replayItem = new ZMQ.PollItem(replay, ZMQ.Poller.POLLIN);
    poller.register(replayItem);
    replay.send(EMPTY, ZMQ.SNDMORE);
    replay.send(question(fromSeq), ZMQ.DONTWAIT);
  }

  /** The question as vLLM wants it. */
  static byte[] question(long fromSeq) {
    return ByteBuffer.allocate(Long.BYTES).putLong(fromSeq).array();
  }

  private void close(ZMQ.Socket asked) {
    poller.unregister(asked);
    asked.close();
    if (replay == asked) {
      replay = null;
    }
  }

  /** The answer is not waited for any more. */
  @Override
  public void close() {
    if (replay != null) {
      close(replay);
    }
  }

  /** Closes all sockets. */
  void leave() {
    close();
    poller.unregister(stream);
    monitor.close();
    stream.close();
  }
}
