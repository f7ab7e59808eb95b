package io.warmpath.balancer.tokenize;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.warmpath.balancer.fixture.Eventually;
import io.warmpath.balancer.fixture.FakeEngine;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fuzz.LeakWatch;
import io.warmpath.balancer.fuzz.Mutations;
import io.warmpath.balancer.request.Endpoint;
import io.warmpath.balancer.request.InvalidRequestException;
import io.warmpath.balancer.request.RequestParser;
import io.warmpath.balancer.upstream.ConnectionSettings;
import io.warmpath.balancer.upstream.HealthSettings;
import io.warmpath.balancer.upstream.LoopConnections;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.balancer.upstream.ReplicaHealth;
import io.warmpath.routing.prompt.TokenBuffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Whatever an engine answers, each question ends once, and nothing is lost on the way. */
class TokenizeFuzzTest {

  private static final int ROUNDS = 40;
  private static final int QUESTIONS = 50;
  private static final int[] TOKENS = {1, 22, 333, 4_444, 55_555, 151_643};

  private static final List<String> ANSWERS =
      List.of(
          whole(200, FakeEngine.told(TOKENS)),
          whole(200, FakeEngine.told()),
          whole(404, "{\"detail\":\"Not Found\"}"),
          "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1a\r\n{\"count\":2,\"max_model_len\":\r\n"
              + "12\r\n9,\"tokens\":[1,2]}\r\n0\r\n\r\n",
          "HTTP/1.1 200 OK\r\n\r\n" + FakeEngine.told(TOKENS));

  private final byte[] body = "{\"prompt\":\"Once\"}".getBytes(StandardCharsets.UTF_8);
  private final AtomicLong seeds = new AtomicLong();
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();

  @Test
  void everyQuestionEndsOnce() throws Exception {
    try (LeakWatch leaks = new LeakWatch()) {
      EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
      EventLoop loop = loops.next();
      try (FakeReplica engine = new FakeReplica(this::answer)) {
        Replica replica =
            new Replica(
                "replica-0",
                engine.url(),
                new ReplicaHealth(HealthSettings.DEFAULTS, System::nanoTime));
        LoopConnections connections =
            loop.submit(
                    () -> new LoopConnections(loop, List.of(replica), ConnectionSettings.DEFAULTS))
                .get();
        for (int round = 1; round <= ROUNDS; round++) {
          for (int i = 0; i < QUESTIONS; i++) {
            loop.submit(() -> ask(loop, connections, replica)).get();
          }
          int asked = round * QUESTIONS;
          Eventually.until("all questions over", () -> answered.get() + failed.get() >= asked);
        }
        loop.submit(connections::close).get();
      }
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
      assertEquals(ROUNDS * QUESTIONS, answered.get() + failed.get());
      assertTrue(answered.get() > 0 && failed.get() > 0, "there are both");
      assertEquals(List.of(), leaks.complaints());
    }
  }

  private Void ask(EventLoop loop, LoopConnections connections, Replica replica)
      throws IOException, InvalidRequestException {
    TokenizeCall call =
        new TokenizeCall(
            connections,
            replica,
            RequestParser.keepingParts(1 << 20)
                .parse(body, body.length, Endpoint.COMPLETIONS)
                .parts(),
            null,
            new TokenizeAnswer(100),
            this::told,
            failure -> failed.incrementAndGet());
    call.start();
    loop.schedule(call::cancel, 50, TimeUnit.MILLISECONDS);
    return null;
  }

  private void told(TokenBuffer tokens) {
    assertTrue(tokens.size() <= 100);
    answered.incrementAndGet();
  }

  private void answer(FakeReplica.Answer answer) {
    Random random = new Random(seeds.getAndIncrement());
    byte[] right = ANSWERS.get(random.nextInt(ANSWERS.size())).getBytes(StandardCharsets.UTF_8);
    byte[] bytes = random.nextInt(3) == 0 ? right : Mutations.mutated(right, random);
    int longest = 1 + random.nextInt(200);
    for (int from = 0; from < bytes.length; ) {
      int to = Math.min(bytes.length, from + 1 + random.nextInt(longest));
      answer.raw(new String(Arrays.copyOfRange(bytes, from, to), StandardCharsets.ISO_8859_1));
      from = to;
    }
    if (random.nextInt(3) == 0) {
      answer.die();
    }
  }

  private static String whole(int status, String json) {
    return "HTTP/1.1 "
        + status
        + " Whatever\r\ncontent-length: "
        + json.length()
        + "\r\n\r\n"
        + json;
  }
}
