package io.warmpath.balancer.tokenize;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.fixture.LogLines;
import io.warmpath.balancer.metrics.PrometheusText;
import io.warmpath.balancer.prompt.PromptBlocks;
import io.warmpath.balancer.sse.TokenUsage;
import io.warmpath.schemas.request.RoutingFacts;
import java.time.Duration;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Test;

class TokenizerWatchTest {

  private static final int TOKENS = 100;

  private long now;
  private final TokenizerWatch watch = new TokenizerWatch("m", () -> now);

  @Test
  void raisesTheAlarmWhenTheEngineCountsOtherwise() {
    try (LogLines log = new LogLines(Level.INFO)) {
      answered(19, TOKENS + 1);
      assertFalse(watch.alarm(), "too few to tell");
      answered(1, TOKENS);
      assertTrue(watch.alarm());
      answered(100, TOKENS + 1);
      assertEquals(2, log.text().split("THE ENGINE TOKENIZES", -1).length, "said once");
      assertTrue(log.text().contains("counted 19 of 20 prompts otherwise"), log.text());
    }
    assertEquals(119, metric("tokenizer_prompts_total{model=\"m\",count=\"different\"}"));
    assertEquals(1, metric("tokenizer_prompts_total{model=\"m\",count=\"same\"}"));
    assertEquals(1, metric("tokenizer_alarm{model=\"m\"}"));
  }

  @Test
  void aFewPromptsThatDifferRaiseNoAlarm() {
    answered(96, TOKENS);
    answered(4, TOKENS - 1);
    assertFalse(watch.alarm());
    answered(2, TOKENS - 1);
    assertTrue(watch.alarm());
  }

  @Test
  void theAlarmEndsWhenTheyAgreeAgain() {
    answered(20, TOKENS + 1);
    now += Duration.ofMinutes(10).toNanos();
    answered(1, TOKENS);
    assertFalse(watch.alarm());
    answered(20, TOKENS + 1);
    assertTrue(watch.alarm());
  }

  @Test
  void raisesTheAlarmWhenHitsAreOnBlocksThatNobodyNamed() {
    for (int i = 0; i < 20; i++) {
      watch.answered(prompt(true), facts(0, 0), usage(TOKENS, 64), true);
    }
    assertTrue(watch.alarm());
    assertEquals(20, metric("unforeseen_hits_total{model=\"m\"}"));
    assertEquals(20 * 64, metric("index_tokens_total{model=\"m\",fate=\"under\"}"));
  }

  @Test
  void hitsOnBlocksThatWereSeenOnceAreNoSign() {
    for (int i = 0; i < 40; i++) {
      watch.answered(prompt(true), facts(0, 64), usage(TOKENS, 64), true);
      watch.answered(prompt(true), facts(0, 0), usage(TOKENS, 0), true);
    }
    assertFalse(watch.alarm());
  }

  @Test
  void replicasWithoutCacheEventsHitWhatNobodyNames() {
    for (int i = 0; i < 40; i++) {
      watch.answered(prompt(true), facts(0, 0), usage(TOKENS, 64), false);
    }
    assertFalse(watch.alarm());
  }

  @Test
  void approximationsAndSilentEnginesAreNotCompared() {
    for (int i = 0; i < 40; i++) {
      watch.answered(prompt(false), facts(0, 0), usage(TOKENS + 9, 64), true);
      watch.answered(prompt(true), facts(0, 0), TokenUsage.UNKNOWN, true);
    }
    assertFalse(watch.alarm());
    assertEquals(0, metric("tokenizer_prompts_total{model=\"m\",count=\"different\"}"));
    assertEquals(40 * 64, metric("index_tokens_total{model=\"m\",fate=\"under\"}"));
  }

  @Test
  void saysWhatWasPredictedAndDelivered() {
    watch.answered(prompt(true), facts(48, 48), usage(TOKENS, 32), true);
    watch.answered(prompt(true), facts(16, 48), usage(TOKENS, 64), true);
    assertEquals(48, metric("index_tokens_total{model=\"m\",fate=\"delivered\"}"));
    assertEquals(16, metric("index_tokens_total{model=\"m\",fate=\"over\"}"));
    assertEquals(48, metric("index_tokens_total{model=\"m\",fate=\"under\"}"));
  }

  private void answered(int times, long promptTokens) {
    for (int i = 0; i < times; i++) {
      watch.answered(prompt(true), facts(0, 0), usage(promptTokens, 0), true);
    }
  }

  private static PromptBlocks prompt(boolean exact) {
    return new PromptBlocks(new long[6], 16, TOKENS, exact);
  }

  private static RoutingFacts facts(long predicted, long seen) {
    return new RoutingFacts(TOKENS, true, predicted, predicted, predicted, seen, 0, 0, 0);
  }

  private static TokenUsage usage(long promptTokens, long cachedTokens) {
    return new TokenUsage(promptTokens, 1L, cachedTokens);
  }

  private long metric(String name) {
    PrometheusText text = new PrometheusText();
    TokenizerWatch.writeTo(text, List.of(watch));
    return text.toString()
        .lines()
        .filter(line -> line.startsWith("warmpath_balancer_" + name))
        .map(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElseThrow();
  }
}
