package io.warmpath.replica.kvevents;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;
import zmq.ZError;

/**
 * Answers subscribers that missed batches. A request is {@code [client, "", number]}; the answer is
 * {@code [client, "", number, payload]} for each batch from that number on that is still there, and
 * then {@code [client, "", −1, ""]}.
 *
 * <p>Clients are not trusted: what a turn does is bounded, however many ask and however often; a
 * client that does not read is waited for between turns and then given up; requests are small. It
 * has a context of its own, so that nothing it is sent can reach the socket that publishes.
 */
final class ReplaySocket implements AutoCloseable {

  /** Replays under way at a time. */
  private static final int MAX_REPLAYS = 1_024;

  /** Requests read a turn. */
  private static final int TURN_REQUESTS = 64;

  /** Messages sent a turn. */
  private static final int TURN_MESSAGES = 512;

  /** Bytes sent a turn, and one batch more. */
  private static final int TURN_BYTES = 1 << 21;

  /** Batches that wait for one client to read. */
  private static final int CLIENT_BATCHES = 64;

  private static final int MAX_REQUEST_BYTES = 256;
  private static final int MAX_CONNECTIONS_WAITING = 16;
  private static final int REQUEST_FRAMES = 3;

  /** Turns after which a client that takes nothing is given up. */
  private static final int MAX_IDLE_TURNS = 500;

  private static final byte[] EMPTY = {};
  private static final byte[] END = KvEventBatch.frame(-1);
  private static final Logger LOG = LoggerFactory.getLogger(ReplaySocket.class);

  /** One answer under way. */
  private static final class Replay {
    final byte[] client;
    final long lastSeq;
    long nextSeq;
    long progressTurn;

    /** The turn in which there was no room for more. */
    long fullTurn = -1;

    Replay(byte[] client, long nextSeq, long lastSeq, long turn) {
      this.client = client;
      this.nextSeq = nextSeq;
      this.lastSeq = lastSeq;
      progressTurn = turn;
    }
  }

  private enum Sent {
    YES,
    NOT_NOW,
    NEVER
  }

  private final ZContext context = new ZContext();
  private final ZMQ.Socket socket;
  private final ReplayBuffer buffer;
  private final Deque<Replay> replays = new ArrayDeque<>();
  private long turn;
  private long bytesLeft;
  private boolean refused;

  /**
   * Listens.
   *
   * @throws ZMQException if it cannot
   */
  ReplaySocket(String endpoint, ReplayBuffer buffer) {
    this.buffer = buffer;
    socket = context.createSocket(SocketType.ROUTER);
    socket.setLinger(0);
    socket.setSndHWM(CLIENT_BATCHES);
    socket.setRcvHWM(TURN_REQUESTS);
    socket.setMaxMsgSize(MAX_REQUEST_BYTES);
    socket.setBacklog(MAX_CONNECTIONS_WAITING);
    // Without it, what a client has no room for would be lost in silence.
    socket.setRouterMandatory(true);
    try {
      socket.bind(endpoint);
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }

  /** Where it listens. */
  String endpoint() {
    return socket.getLastEndpoint();
  }

  /** One turn: reads requests and goes on with answers. Never waits. */
  void serve() {
    turn++;
    for (int i = 0; i < TURN_REQUESTS && readRequest(); i++) {
      // Until there is none.
    }
    bytesLeft = TURN_BYTES;
    int messagesLeft = TURN_MESSAGES;
    int full = 0;
    // One message each, round and round, so that none waits for another one's end.
    while (messagesLeft > 0 && bytesLeft > 0 && full < replays.size()) {
      Replay replay = replays.removeFirst();
      switch (replay.fullTurn == turn ? Sent.NOT_NOW : sendNext(replay)) {
        case YES -> {
          full = 0;
          messagesLeft--;
          replay.progressTurn = turn;
          replays.addLast(replay);
        }
        case NOT_NOW -> {
          full++;
          replay.fullTurn = turn;
          replays.addLast(replay);
        }
        case NEVER -> {
          // At its end, or gone.
        }
      }
    }
    replays.removeIf(replay -> turn - replay.progressTurn > MAX_IDLE_TURNS);
  }

  /** Ends all answers: the batches they are made of are gone. */
  void endReplays() {
    for (Replay replay : replays) {
      send(replay.client, END, EMPTY);
    }
    replays.clear();
  }

  private boolean readRequest() {
    byte[] client = socket.recv(ZMQ.DONTWAIT);
    if (client == null) {
      return false;
    }
    byte[] start = null;
    int frames = 1;
    while (socket.hasReceiveMore()) {
      start = socket.recv(ZMQ.DONTWAIT);
      frames++;
    }
    if (frames == REQUEST_FRAMES && start.length == Long.BYTES) {
      begin(client, ByteBuffer.wrap(start).getLong());
    } else {
      refuse("it has " + frames + " frames, or its last one is no number of 8 bytes");
    }
    return true;
  }

  private void begin(byte[] client, long startSeq) {
    replays.removeIf(replay -> Arrays.equals(replay.client, client));
    if (replays.size() >= MAX_REPLAYS) {
      refuse("there are " + MAX_REPLAYS + " already");
      return;
    }
    // Numbers are unsigned: one that looks negative is beyond all there are.
    long from = startSeq < 0 ? Long.MAX_VALUE : startSeq;
    replays.addLast(new Replay(client, from, buffer.lastSeq(), turn));
  }

  private void refuse(String why) {
    if (!refused) {
      LOG.warn("a replay was refused: {}; the next ones are, without a word", why);
      refused = true;
    }
  }

  private Sent sendNext(Replay replay) {
    KvEventBatch batch = replay.nextSeq > replay.lastSeq ? null : buffer.atLeast(replay.nextSeq);
    if (batch == null || batch.seq() > replay.lastSeq) {
      return send(replay.client, END, EMPTY) == Sent.NOT_NOW ? Sent.NOT_NOW : Sent.NEVER;
    }
    Sent sent = send(replay.client, KvEventBatch.frame(batch.seq()), batch.payload());
    if (sent == Sent.YES) {
      bytesLeft -= batch.payload().length;
      replay.nextSeq = batch.seq() + 1;
    }
    return sent;
  }

  private Sent send(byte[] client, byte[] seq, byte[] payload) {
    try {
      if (!socket.send(client, ZMQ.SNDMORE | ZMQ.DONTWAIT)) {
        return socket.errno() == ZError.EAGAIN ? Sent.NOT_NOW : Sent.NEVER;
      }
    } catch (ZMQException e) {
      // The client is gone.
      return Sent.NEVER;
    }
    socket.send(EMPTY, ZMQ.SNDMORE | ZMQ.DONTWAIT);
    socket.send(seq, ZMQ.SNDMORE | ZMQ.DONTWAIT);
    socket.send(payload, ZMQ.DONTWAIT);
    return Sent.YES;
  }

  @Override
  public void close() {
    context.close();
  }
}
