package io.warmpath.lab.demo;

import io.warmpath.lab.client.Answer;
import io.warmpath.lab.client.CompletionClient;
import io.warmpath.lab.founding.Conversation;
import io.warmpath.lab.founding.FoundingWorkload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Chats that belong to no arm, so that the first one does not pay for what a process does only
 * once: loading classes, compiling, opening connections.
 */
final class WarmUp {

  /** None of the arms', so that no window of theirs counts these requests. */
  static final String POLICY = "random";

  private static final int ROUNDS = 12;
  private static final int OUTPUT_TOKENS = 24;

  private WarmUp() {}

  /**
   * Plays it; about five seconds.
   *
   * @throws IllegalStateException if a request fails
   */
  static void play(CompletionClient client, long seed) {
    for (int round = 0; round < ROUNDS; round++) {
      List<CompletableFuture<Answer>> answers = new ArrayList<>();
      for (Conversation conversation : FoundingWorkload.generate(seed + round).conversations()) {
        ChatBody chat = new ChatBody().user(conversation.turns().get(0).text().render());
        answers.add(client.send("v1/chat/completions", chat.request(OUTPUT_TOKENS), Map.of()));
      }
      for (CompletableFuture<Answer> answer : answers) {
        if (!answer.join().ok()) {
          throw new IllegalStateException("warm-up: " + answer.join().error());
        }
      }
    }
  }
}
