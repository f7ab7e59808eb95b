package io.warmpath.lab.demo;

import io.warmpath.lab.client.Answer;
import io.warmpath.lab.client.CompletionClient;
import io.warmpath.lab.founding.Conversation;
import io.warmpath.lab.founding.FoundingWorkload;
import io.warmpath.lab.founding.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Plays the founding workload as its workers would: a closed loop of chats with think times. */
final class ConversationPlayer {

  private final CompletionClient client;
  private final double timeScale;
  private final String arm;
  private final IntConsumer progress;
  private final AtomicInteger answered = new AtomicInteger();

  /**
   * @param timeScale think times are so many times shorter
   * @param arm name of the arm, in the request ids
   * @param progress told how many requests are answered
   */
  ConversationPlayer(CompletionClient client, double timeScale, String arm, IntConsumer progress) {
    this.client = client;
    this.timeScale = timeScale;
    this.arm = arm;
    this.progress = progress;
  }

  /**
   * Plays all conversations. Returns when the last is over.
   *
   * @throws IllegalStateException if a request fails, with its reason
   */
  void play(FoundingWorkload workload) {
    Queue<Conversation> notPlayed = new ConcurrentLinkedQueue<>(workload.conversations());
    ExecutorService workers = Executors.newFixedThreadPool(FoundingWorkload.WORKERS);
    try {
      List<Future<?>> work = new ArrayList<>();
      for (int worker = 0; worker < FoundingWorkload.WORKERS; worker++) {
        work.add(workers.submit(() -> work(notPlayed)));
      }
      for (Future<?> one : work) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(arm + ": " + e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(arm + ": interrupted", e);
    } finally {
      workers.shutdownNow();
    }
  }

  private void work(Queue<Conversation> notPlayed) {
    for (Conversation next = notPlayed.poll(); next != null; next = notPlayed.poll()) {
      play(next);
    }
  }

  private void play(Conversation conversation) {
    ChatBody chat = new ChatBody();
    for (Turn turn : conversation.turns()) {
      think(turn);
      Answer answer = ask(conversation, turn, chat.user(turn.text().render()));
      if (!answer.ok()) {
        throw new IllegalStateException(
            "conversation %d, turn %d: %s"
                .formatted(conversation.number(), turn.number(), answer.error()));
      }
      chat.assistant(answer.text());
      progress.accept(answered.incrementAndGet());
    }
  }

  private void think(Turn turn) {
    try {
      TimeUnit.MICROSECONDS.sleep(Math.round(turn.thinkMicros() / timeScale));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private Answer ask(Conversation conversation, Turn turn, ChatBody chat) {
    return client
        .send(
            "v1/chat/completions",
            chat.request(turn.outputTokens()),
            Map.of(
                "x-request-id",
                Turns.requestId(arm, conversation.number(), turn.number()),
                "x-session-id",
                arm + "-c" + conversation.number()))
        .join();
  }
}
