package io.warmpath.replica.kvevents;

import io.warmpath.replica.fault.BatchFaults;
import io.warmpath.replica.fault.FaultyBatches;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.ZMQException;

/**
 * Numbers the collected events, publishes them every {@value #TURN_MS} ms and serves replays
 * between, all on a thread of its own. A batch that a fault loses is lost on its way to the
 * subscribers: replay has it.
 */
public final class KvEventPublisher implements AutoCloseable {

  /** Routers decide by these events: they must not wait long. */
  private static final int TURN_MS = 10;

  /** Most events of one batch. */
  private static final int BATCH_EVENTS = 1_024;

  /** Most token ids of one batch, where one event has not more. */
  private static final int BATCH_TOKENS = 1 << 15;

  private static final long CLOSE_MS = 3_000;
  private static final Logger LOG = LoggerFactory.getLogger(KvEventPublisher.class);

  private final String replica;
  private final KvEventLog log;
  private final KvEventEncoder encoder;
  private final PublishSocket socket;
  private final ReplayBuffer buffer;

  /** Null where nobody can ask. */
  private final ReplaySocket replay;

  private final FaultyBatches<KvEventBatch> batches;
  private final ScheduledExecutorService thread;
  private final String endpoint;
  private final String replayEndpoint;
  private EngineHashes hashes = EngineHashes.fresh();
  private long nextSeq;

  private KvEventPublisher(
      String replica, KvEventsConfig config, KvEventLog log, BatchFaults faults) {
    this.replica = replica;
    this.log = log;
    encoder = new KvEventEncoder(config.encoding(), config.blockHashes(), log.blockTokens());
    buffer = new ReplayBuffer(config.bufferSteps(), ReplayBuffer.MAX_BYTES);
    socket = opened("endpoint", config.endpoint(), () -> new PublishSocket(config));
    endpoint = socket.endpoint();
    try {
      replay = config.replayEndpoint() == null ? null : replaySocket(config.replayEndpoint());
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
    replayEndpoint = replay == null ? null : replay.endpoint();
    batches = faults.before(socket::send);
    thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread t = new Thread(task, replica + "-kv-events");
              t.setDaemon(true);
              return t;
            });
  }

  private ReplaySocket replaySocket(String address) {
    return opened("replay_endpoint", address, () -> new ReplaySocket(address, buffer));
  }

  private <T> T opened(String option, String address, Supplier<T> opening) {
    try {
      return opening.get();
    } catch (ZMQException | IllegalArgumentException e) {
      throw new IllegalStateException(
          replica + " cannot open kv_events " + option + " " + address + ": " + e.getMessage(), e);
    }
  }

  /**
   * Opens the sockets. Nothing is sent yet.
   *
   * @param replica its name, for the thread and messages
   * @param log where the engine's events are
   * @param faults of this stream
   * @throws IllegalStateException if an endpoint is no address or cannot be listened at
   */
  public static KvEventPublisher open(
      String replica, KvEventsConfig config, KvEventLog log, BatchFaults faults) {
    return new KvEventPublisher(replica, config, log, faults);
  }

  /** Starts to send. */
  public void start() {
    thread.scheduleWithFixedDelay(this::guardedTurn, 0, TURN_MS, TimeUnit.MILLISECONDS);
  }

  /** Address of the PUB socket, with its real port. */
  public String endpoint() {
    return endpoint;
  }

  /** Address of the ROUTER socket, with its real port; null if there is none. */
  public String replayEndpoint() {
    return replayEndpoint;
  }

  /** An executor drops a periodic task that throws once: one bad turn must not silence all. */
  private void guardedTurn() {
    try {
      turn();
    } catch (RuntimeException e) {
      LOG.error("{}: KV events were not sent", replica, e);
    }
  }

  private void turn() {
    publish(log.drain());
    if (replay != null) {
      replay.serve();
    }
  }

  private void publish(KvEventLog.Drained drained) {
    if (drained.restarted()) {
      beginAnew();
    }
    List<KvEvent> batch = new ArrayList<>();
    int tokens = 0;
    for (KvEvent event : drained.events()) {
      boolean full = batch.size() == BATCH_EVENTS || tokens + event.tokens() > BATCH_TOKENS;
      if (full && !batch.isEmpty()) {
        send(drained.lastEventMs(), batch);
        batch = new ArrayList<>();
        tokens = 0;
      }
      batch.add(event);
      tokens += event.tokens();
    }
    if (!batch.isEmpty()) {
      send(drained.lastEventMs(), batch);
    }
    if (drained.lostAfter()) {
      LOG.warn("{}: KV events were lost, nobody took them in time", replica);
      nextSeq++;
    }
  }

  private void send(long epochMs, List<KvEvent> events) {
    KvEventBatch batch = new KvEventBatch(nextSeq++, encoder.encode(epochMs, events, hashes::of));
    buffer.add(batch);
    batches.send(batch);
  }

  /** What a process has that was started a moment ago. */
  private void beginAnew() {
    nextSeq = 0;
    hashes = EngineHashes.fresh();
    buffer.clear();
    batches.dropHeld();
    if (replay != null) {
      replay.endReplays();
    }
  }

  /** Sends what was collected, and closes the sockets. */
  @Override
  public void close() {
    thread.execute(
        () -> {
          guardedTurn();
          batches.sendHeld();
        });
    thread.shutdown();
    try {
      if (!thread.awaitTermination(CLOSE_MS, TimeUnit.MILLISECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
    socket.close();
    if (replay != null) {
      replay.close();
    }
  }
}
