package io.warmpath.lab.calibrate;

import io.warmpath.lab.client.Answer;
import io.warmpath.lab.client.CompletionBody;
import io.warmpath.lab.client.CompletionClient;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * An OpenAI-compatible server in real time. It must take prompts as token ids and {@code
 * ignore_eos}, as vLLM, SGLang and our own replica do, and should serve nobody else meanwhile.
 */
public final class LiveTarget implements CalibrationTarget {

  private static final String PATH = "v1/completions";
  private static final long NANOS_PER_MICRO = 1_000;

  private final URI url;
  private final String model;
  private final CompletionClient client;

  /**
   * @param url base URL, with or without {@code /v1}
   * @param model model to ask for
   * @param timeout most time for an answer
   */
  public LiveTarget(URI url, String model, Duration timeout) {
    this.url = url;
    this.model = model;
    client = new CompletionClient(url, timeout);
  }

  /** One answer under way. */
  private final class Call {
    final long sentNanos = System.nanoTime();
    final AtomicLong pieces = new AtomicLong();
    final CompletableFuture<Void> firstPiece = new CompletableFuture<>();
    final CompletableFuture<Answer> answer;

    Call(int[] prompt, int outputTokens) {
      answer =
          client.send(
              PATH, CompletionBody.exactly(outputTokens, model, prompt), Map.of(), this::piece);
    }

    private void piece() {
      pieces.incrementAndGet();
      firstPiece.complete(null);
    }

    /** Returns when the first token is there. */
    void awaitStart() {
      CompletableFuture.anyOf(firstPiece, answer).join();
      if (!firstPiece.isDone()) {
        requireOk(answer.join());
      }
    }

    ProbeTiming timing() {
      Answer got = requireOk(answer.join());
      long output = got.outputTokens() == null ? pieces.get() : got.outputTokens();
      return new ProbeTiming(
          sentNanos / NANOS_PER_MICRO,
          got.firstTokenNanos() / NANOS_PER_MICRO,
          got.endNanos() / NANOS_PER_MICRO,
          (int) output,
          got.cachedTokens());
    }
  }

  @Override
  public String name() {
    return url.toString();
  }

  @Override
  public List<ProbeTiming> sendTogether(List<int[]> prompts, int outputTokens) {
    return start(prompts, outputTokens).stream().map(Call::timing).toList();
  }

  @Override
  public DecodingStreams startDecoding(List<int[]> prompts, int outputTokens) {
    List<Call> calls = start(prompts, outputTokens);
    calls.forEach(Call::awaitStart);
    return new DecodingStreams() {
      @Override
      public boolean allRunning() {
        return calls.stream().noneMatch(call -> call.answer.isDone());
      }

      @Override
      public long generatedTokens() {
        return calls.stream().mapToLong(call -> call.pieces.get()).sum();
      }

      @Override
      public void end() {
        calls.forEach(call -> requireOk(call.answer.join()));
      }
    };
  }

  private List<Call> start(List<int[]> prompts, int outputTokens) {
    List<Call> calls = new ArrayList<>();
    for (int[] prompt : prompts) {
      calls.add(new Call(prompt, outputTokens));
    }
    return calls;
  }

  private Answer requireOk(Answer answer) {
    if (!answer.ok()) {
      throw new IllegalStateException(url + ": " + answer.error());
    }
    return answer;
  }

  @Override
  public void pause(long micros) {
    long untilNanos = System.nanoTime() + micros * NANOS_PER_MICRO;
    for (long left = micros * NANOS_PER_MICRO; left > 0; left = untilNanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
