package io.warmpath.bench.proxy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/**
 * What clients ask, and where.
 *
 * @param form form of the answers
 * @param requests asked in turn
 * @param ports ports of loopback, used in turn
 */
record Load(AnswerForm form, List<ByteBuffer> requests, List<Integer> ports) {

  /** What is not answered then counts as failed. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  static Load of(AnswerForm form, List<Integer> ports) {
    return new Load(form, Prompts.requests(form), ports);
  }

  ByteBuffer request(int number) {
    return requests.get(number % requests.size());
  }

  int port(int number) {
    return ports.get(number % ports.size());
  }
}
