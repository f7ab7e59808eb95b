package io.warmpath.replica;

import static io.warmpath.replica.RunningReplica.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.warmpath.replica.kvevents.BlockHashForm;
import io.warmpath.replica.kvevents.KvEventEncoding;
import io.warmpath.replica.kvevents.KvEventsConfig;
import io.warmpath.schemas.cache.CacheEvent;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** Events as a vLLM publishes them, read by subscribers of several kinds. */
class KvEventsIT {

  private static final String TOPIC = "kv@replica-0@m";

  /** Full blocks, and a rest that the answer does not fill. */
  private int promptTokens = 100;

  private RunningReplica replica;

  @AfterEach
  void close() {
    if (replica != null) {
      replica.close();
    }
  }

  private void start(KvEventsConfig config, int kvBlocks) {
    replica = new RunningReplica(options -> options.kvEvents(config).kvBlocks(kvBlocks));
  }

  @ParameterizedTest
  @CsvSource({"ARRAY,INT", "MIXED,INT", "MAP,BYTES"})
  void otherProgramsFindTheSameBlocksFromTokensAlone(KvEventEncoding encoding, BlockHashForm form)
      throws IOException, InterruptedException {
    PythonSubscriber.assumeThere();
    start(KvSubscriber.anywhere().topic(TOPIC).encoding(encoding).blockHashes(form).build(), 20);
    try (PythonSubscriber python =
        new PythonSubscriber(
            replica.server.kvEventsEndpoint(), replica.server.kvEventsReplayEndpoint(), TOPIC)) {
      SeenBlocks seen = new SeenBlocks();
      for (JsonNode line = python.next(); !line.at("/kind").asText().equals("end"); ) {
        seen.read(line.at("/batch"));
        line = python.next();
      }
      // Until it is subscribed; from then on it misses nothing.
      int next = 0;
      JsonNode first = null;
      while (first == null) {
        complete(next++);
        first = python.poll();
      }
      assertEquals(TOPIC, first.at("/topic").asText());
      assertEquals("live", first.at("/kind").asText());
      replica.post("/reset_prefix_cache", "");
      JsonNode line = first;
      while (!seen.read(line.at("/batch"))) {
        line = python.next();
      }
      AtomicLong seq = new AtomicLong(line.at("/seq").asLong());
      for (int i = 0; i < 6; i++) {
        complete(next + i % 4);
      }
      await(
          "evictions are told",
          () -> replica.sink.events().stream().anyMatch(CacheEvent.Removed.class::isInstance));
      await(
          "subscriber and Kafka agree",
          () -> {
            for (JsonNode more = python.poll(); more != null; more = python.poll()) {
              assertEquals(seq.incrementAndGet(), more.at("/seq").asLong());
              seen.read(more.at("/batch"));
            }
            return seen.hashes().equals(told());
          });
      assertTrue(seen.removed() > 0);
    }
  }

  /** The blocks that are there, as the records for Kafka say. */
  private Set<Long> told() {
    Set<Long> blocks = new HashSet<>();
    for (CacheEvent event : replica.sink.events()) {
      if (event instanceof CacheEvent.Stored stored) {
        Arrays.stream(stored.hashesB64().toArray()).forEach(blocks::add);
      } else if (event instanceof CacheEvent.Removed removed) {
        Arrays.stream(removed.hashesB64().toArray()).forEach(blocks::remove);
      } else if (event instanceof CacheEvent.Cleared) {
        blocks.clear();
      }
    }
    return blocks;
  }

  @Test
  void faultsActOnTheWayToSubscribersAndReplayHasAll() throws IOException {
    start(KvSubscriber.anywhere().build(), 1_000);
    try (KvSubscriber subscriber = new KvSubscriber(replica.server)) {
      long joined = join(subscriber);
      replica.post("/admin/faults", "{\"lose_batches\":2}");
      publish(subscriber, 2, 3);
      KvSubscriber.Message after = subscriber.next();
      assertEquals(joined + 3, after.seq());
      assertEquals(
          List.of(joined + 1, joined + 2, joined + 3),
          subscriber.replay(joined + 1).stream().map(KvSubscriber.Message::seq).toList());
      replica.post("/admin/faults", "{\"duplicate_batches\":1}");
      publish(subscriber, 5, 1);
      assertEquals(joined + 4, subscriber.next().seq());
      assertEquals(joined + 4, subscriber.next().seq());
      replica.post("/admin/faults", "{\"reorder_batches\":1}");
      publish(subscriber, 6, 2);
      assertEquals(joined + 6, subscriber.next().seq());
      assertEquals(joined + 5, subscriber.next().seq());
    }
  }

  @Test
  void restartBeginsAtNumber0WithOtherHashesAndNobodyIsToldOfTheOldBlocks() throws IOException {
    start(KvSubscriber.anywhere().build(), 1_000);
    try (KvSubscriber subscriber = new KvSubscriber(replica.server)) {
      join(subscriber);
      publish(subscriber, 2, 1);
      List<String> before = subscriber.next().stored();
      replica.post("/admin/faults", "{\"restart\":true}");
      complete(2);
      KvSubscriber.Message first = subscriber.next();
      assertEquals(0, first.seq());
      assertFalse(first.clears());
      List<String> again = first.stored();
      assertEquals(before.size(), again.size());
      assertTrue(again.stream().noneMatch(before::contains));
      assertEquals(
          List.of(0L), subscriber.replay(0).stream().map(KvSubscriber.Message::seq).toList());
    }
  }

  @Test
  void replayHoldsTheLastStepsAndEndsAtOnceWhereThereIsNothing() throws IOException {
    start(KvSubscriber.anywhere().bufferSteps(3).build(), 1_000);
    try (KvSubscriber subscriber = new KvSubscriber(replica.server)) {
      assertEquals(List.of(), subscriber.replay(0));
      long joined = join(subscriber);
      publish(subscriber, 2, 5);
      assertEquals(
          List.of(joined + 3, joined + 4, joined + 5),
          subscriber.replay(0).stream().map(KvSubscriber.Message::seq).toList());
      assertEquals(List.of(), subscriber.replay(joined + 6));
      assertEquals(List.of(), subscriber.replay(-1));
    }
  }

  @Test
  void clientsThatFloodOrDoNotReadStopNeitherEngineNorOtherReplays() throws IOException {
    promptTokens = 2_000;
    start(KvSubscriber.anywhere().build(), 1_000);
    String endpoint = replica.server.kvEventsReplayEndpoint();
    try (KvSubscriber fair = new KvSubscriber(replica.server);
        ZContext context = new ZContext()) {
      join(fair);
      publish(fair, 0, 60);
      long published = lastSeq(fair, 0);
      for (int i = 0; i < 40; i++) {
        ZMQ.Socket deaf = context.createSocket(SocketType.DEALER);
        // Nothing is read from it: what does not fit in here waits at the replica.
        deaf.setRcvHWM(1);
        deaf.setReceiveBufferSize(1);
        deaf.setLinger(0);
        deaf.connect(endpoint);
        for (int request = 0; request < 50; request++) {
          deaf.send(new byte[0], ZMQ.SNDMORE | ZMQ.DONTWAIT);
          deaf.send(new byte[Long.BYTES], ZMQ.DONTWAIT);
        }
      }
      ZMQ.Socket wrong = context.createSocket(SocketType.DEALER);
      wrong.setLinger(0);
      wrong.connect(endpoint);
      wrong.send(new byte[0]);
      wrong.send(new byte[] {1, 2, 3});
      wrong.send(ByteBuffer.allocate(1 << 20).array());
      for (byte[] noise : List.of(new byte[100_000], "GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII))) {
        try (Socket raw = new Socket("127.0.0.1", URI.create(endpoint).getPort())) {
          raw.getOutputStream().write(noise);
        }
      }
      assertWhole(fair.replay(0), published);
      publish(fair, 100, 5);
      assertWhole(fair.replay(0), published + 5);
      assertEquals(200, replica.get("/health").statusCode());
    }
  }

  @Test
  void subscriberMayListenAndTheReplicaConnect() throws IOException {
    try (ZContext context = new ZContext()) {
      ZMQ.Socket router = context.createSocket(SocketType.SUB);
      router.setReceiveTimeOut(0);
      router.subscribe("");
      router.bind("tcp://127.0.0.1:*");
      start(
          KvEventsConfig.builder()
              .endpoint(router.getLastEndpoint())
              .socket(KvEventsConfig.SocketEnd.CONNECT)
              .build(),
          1_000);
      assertNull(replica.server.kvEventsReplayEndpoint());
      byte[] topic = null;
      for (int i = 0; topic == null; i++) {
        complete(i);
        topic = router.recv();
      }
      assertEquals(0, topic.length);
    }
  }

  @Test
  void addressThatIsTakenIsNamed() {
    start(KvSubscriber.anywhere().build(), 100);
    String taken = replica.server.kvEventsReplayEndpoint();
    KvEventsConfig config = KvSubscriber.anywhere().replayEndpoint(taken).build();
    ReplicaConfig second = ReplicaConfig.builder().port(0).name("b").kvEvents(config).build();
    String message =
        assertThrows(IllegalStateException.class, () -> ReplicaServer.start(second)).getMessage();
    assertTrue(
        message.startsWith("b cannot open kv_events replay_endpoint " + taken + ": "), message);
  }

  /** An eviction may make a batch of its own, so there may be more. */
  private static void assertWhole(List<KvSubscriber.Message> replayed, long leastLastSeq) {
    assertTrue(replayed.size() > leastLastSeq, "only " + replayed.size());
    for (int i = 0; i < replayed.size(); i++) {
      assertEquals(i, replayed.get(i).seq());
    }
  }

  /** Completes prompts until the subscriber hears of them. Returns the last batch's number. */
  private long join(KvSubscriber subscriber) throws IOException {
    int prompts = 0;
    KvSubscriber.Message heard = null;
    while (heard == null) {
      complete(--prompts);
      heard = subscriber.poll();
    }
    List<KvSubscriber.Message> all = subscriber.replay(0);
    while (all.stream().mapToInt(message -> message.events().size()).sum() < -prompts) {
      all = subscriber.replay(0);
    }
    long last = all.get(all.size() - 1).seq();
    while (heard.seq() < last) {
      heard = subscriber.next();
    }
    return last;
  }

  /** Completes prompts that are new, each of which makes a batch. */
  private void publish(KvSubscriber subscriber, int firstPrompt, int count) throws IOException {
    long seq = lastSeq(subscriber, 0);
    for (int i = 0; i < count; i++) {
      complete(firstPrompt + i);
      long before = seq;
      while (seq == before) {
        seq = lastSeq(subscriber, Math.max(0, before));
      }
    }
  }

  private static long lastSeq(KvSubscriber subscriber, long from) {
    List<KvSubscriber.Message> messages = subscriber.replay(from);
    return messages.isEmpty() ? -1 : messages.get(messages.size() - 1).seq();
  }

  private void complete(int prompt) throws IOException {
    String ids =
        new Random(prompt)
            .ints(promptTokens, 0, 150_000)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(","));
    HttpResponse<String> answer =
        replica.post("/v1/completions", "{\"prompt\":[" + ids + "],\"max_tokens\":2}");
    assertEquals(200, answer.statusCode(), answer.body());
  }
}
