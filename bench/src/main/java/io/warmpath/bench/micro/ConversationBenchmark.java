package io.warmpath.bench.micro;

import io.warmpath.balancer.prompt.ChatMessage;
import io.warmpath.balancer.prompt.Prompt;
import io.warmpath.balancer.prompt.PromptBlocks;
import io.warmpath.balancer.prompt.PromptEncoder;
import io.warmpath.balancer.prompt.TokenizerKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Tokenizing and hashing a chat of about 128k tokens in 64 messages, at first and grown. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ConversationBenchmark {

  private static final int MESSAGES = 64;
  private static final int WORDS = 1_000;
  private static final int BLOCK_TOKENS = 64;

  private final PromptEncoder encoder = new PromptEncoder(TokenizerKind.QUAD, BLOCK_TOKENS);
  private final List<ChatMessage> past = new ArrayList<>();
  private long turn;

  @Setup
  public void converse() {
    for (int i = 0; i < MESSAGES; i++) {
      past.add(
          new ChatMessage(i % 2 == 0 ? "user" : "assistant", "message" + " words".repeat(WORDS)));
    }
    encoder.encode(new Prompt.Chat(past, true, true), "");
  }

  /** A conversation that was never seen. */
  @Benchmark
  public PromptBlocks unknown() {
    return encoder.encode(new Prompt.Chat(past, true, true), "tenant-" + turn++);
  }

  /** One that was seen, and a question more. */
  @Benchmark
  public PromptBlocks grown() {
    List<ChatMessage> messages = new ArrayList<>(past);
    messages.add(new ChatMessage("user", "question " + turn++));
    return encoder.encode(new Prompt.Chat(messages, true, true), "");
  }
}
