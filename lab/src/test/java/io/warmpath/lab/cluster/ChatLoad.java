package io.warmpath.lab.cluster;

import io.warmpath.lab.client.Answer;
import io.warmpath.lab.client.CompletionClient;
import io.warmpath.lab.demo.ChatBody;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Chats that grow turn by turn and share their first words, as text. Requests come one after the
 * other at a fixed pace; a turn waits for the answer to the one before.
 */
final class ChatLoad implements AutoCloseable {

  private static final int CHATS = 15;
  private static final int WORDS_A_TURN = 60;
  private static final int SHARED_WORDS = 200;
  private static final int OUTPUT_TOKENS = 12;

  private final CompletionClient client;
  private final int gapMs;
  private final SplittableRandom random = new SplittableRandom(11);
  private final String shared = words(SHARED_WORDS);
  private final List<Chat> chats = new ArrayList<>();
  private int sent;

  /** One chat; the future is done when its last answer is there. */
  private static final class Chat {
    final ChatBody body = new ChatBody();
    CompletableFuture<Void> answered = CompletableFuture.completedFuture(null);
  }

  /**
   * @param gapMs time between two requests
   */
  ChatLoad(URI balancer, int gapMs) {
    client = new CompletionClient(balancer, Duration.ofSeconds(60));
    this.gapMs = gapMs;
    for (int i = 0; i < CHATS; i++) {
      Chat chat = new Chat();
      chat.body.user(shared);
      chat.body.assistant("Yes.");
      chats.add(chat);
    }
  }

  /** Sends so many requests, and waits for all answers; the chats go on where they stood. */
  void send(int requests) {
    for (int i = 0; i < requests; i++) {
      int number = sent++;
      Chat chat = chats.get(number % CHATS);
      String text = words(WORDS_A_TURN);
      Executor due = CompletableFuture.delayedExecutor((long) i * gapMs, TimeUnit.MILLISECONDS);
      chat.answered =
          chat.answered
              .thenCombine(CompletableFuture.runAsync(() -> {}, due), (before, now) -> now)
              .thenCompose(now -> ask(chat, text, number));
    }
    chats.forEach(chat -> chat.answered.join());
  }

  private CompletableFuture<Void> ask(Chat chat, String text, int number) {
    byte[] request = chat.body.user(text).request(OUTPUT_TOKENS);
    return client
        .send("v1/chat/completions", request, Map.of("x-request-id", "chat-" + number))
        .thenAccept(answer -> chat.body.assistant(textOf(answer)));
  }

  private static String textOf(Answer answer) {
    if (!answer.ok()) {
      throw new IllegalStateException(answer.error());
    }
    return answer.text();
  }

  private String words(int count) {
    return random
        .ints(count, 0, 1 << 20)
        .mapToObj(Integer::toHexString)
        .collect(Collectors.joining(" "));
  }

  @Override
  public void close() {
    client.close();
  }
}
