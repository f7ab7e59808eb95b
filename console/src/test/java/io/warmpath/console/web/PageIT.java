package io.warmpath.console.web;

import static io.warmpath.console.SampleResults.ALL;
import static io.warmpath.console.SampleResults.row;
import static io.warmpath.console.SampleResults.weights;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.console.ConsoleConfig;
import io.warmpath.console.ConsoleServer;
import io.warmpath.console.MovableClock;
import io.warmpath.console.ScriptedSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The page as a browser shows it. Skipped where no Chromium is installed. */
@Timeout(120)
class PageIT {

  private static final long T = 1_700_000_000_000L;
  private static final long TEN_S = 10_000;
  private static final long MINUTE = 60_000;

  @TempDir(cleanup = CleanupMode.NEVER)
  Path profile;

  private final ScriptedSource source = new ScriptedSource();
  private final MovableClock clock = new MovableClock(T + 2_000);
  private ConsoleServer server;
  private Chromium browser;

  @BeforeEach
  void open() throws Exception {
    Optional<Path> installed = Chromium.installed();
    Assumptions.assumeTrue(installed.isPresent(), "no Chromium is installed");
    server = ConsoleServer.start(config(0), source, clock);
    browser = Chromium.start(installed.get(), profile);
    browser.resize(1280, 900);
    browser.open("http://127.0.0.1:" + server.port() + "/");
  }

  @AfterEach
  void close() {
    if (browser != null) {
      browser.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private static ConsoleConfig config(int port) {
    return ConsoleConfig.of("unused:9092", "127.0.0.1", port);
  }

  private void awaitState(String state) {
    browser.await("document.body.dataset.state === '" + state + "'");
  }

  private void awaitText(String selector, String text) {
    browser.await("document.querySelector(`" + selector + "`).textContent === `" + text + "`");
  }

  private static String policy(String name, String field) {
    return "#policy-rows [data-key=\"" + name + "\"] [data-field=\"" + field + "\"]";
  }

  private static String replica(String name, String field) {
    return "#replica-rows [data-key=\"" + name + "\"] [data-field=\"" + field + "\"]";
  }

  private void publishWindow() {
    source.publish(row("adaptive", ALL, MINUTE, T, 94, 272_000));
    source.publish(row("round_robin", ALL, MINUTE, T, 100, 745_000));
    source.publish(row(ALL, "replica-0", MINUTE, T, 97, 300_000));
    source.publish(row(ALL, "replica-1", MINUTE, T, 97, 300_000));
    source.publish(row(ALL, ALL, MINUTE, T, 194, 600_000));
    source.publish(row(ALL, ALL, TEN_S, T, 33, 500_000));
    source.publish(weights(T, 1.25, 0.75));
  }

  @Test
  void showsTheFiguresOfTheRecords() {
    awaitState("no-data");
    publishWindow();
    awaitState("live");

    awaitText("[data-fleet=p95]", "600 ms");
    awaitText("[data-fleet=rps]", "3.23");
    awaitText("[data-fleet=hit]", "60.0 %");
    awaitText(policy("adaptive", "p95"), "272 ms");
    awaitText(policy("adaptive", "p95-ratio"), "0.37×");
    awaitText(policy("adaptive", "interval"), "190 ms … 354 ms");
    awaitText(policy("round_robin", "p95-ratio"), "baseline");
    awaitText(replica("replica-0", "weight"), "1.25");
    awaitText(replica("replica-1", "slope"), "91.3 µs/token");
    browser.await("document.querySelectorAll('#fate-rows .part.routing').length === 2");
    browser.await("document.querySelector('#line-ttft path').getAttribute('d').length > 0");

    browser.evaluate("document.querySelector('#window input[value=\"10000\"]').click()");
    awaitText("[data-fleet=p95]", "500 ms");
    assertEquals(List.of(), browser.errors());
    for (String url : browser.requests()) {
      assertTrue(url.startsWith("http://127.0.0.1:" + server.port() + "/"), url);
    }
  }

  @Test
  void showsNamesAsTextAndNothingElse() {
    String hostile = "<img src=x onerror=document.title=1>";
    source.publish(row(hostile, ALL, TEN_S, T, 5, 100_000));
    source.publish(row(ALL, hostile, TEN_S, T, 5, 100_000));
    source.publish(row(hostile, ALL, ALL, TEN_S, T, 1, 100_000, 0.5));
    source.publish(row(ALL, ALL, TEN_S, T, 5, 100_000));

    browser.await("document.querySelector('#replica-rows th')?.textContent === `" + hostile + "`");
    browser.await(
        "[...document.querySelectorAll('.name')].some(n => n.textContent === `" + hostile + "`)");
    assertEquals(0, browser.evaluate("document.querySelectorAll('main img').length").asInt());
    assertEquals("Warmpath", browser.evaluate("document.title").asText());
    assertEquals(List.of(), browser.errors());
  }

  @Test
  void saysWhenFiguresAreStale() {
    publishWindow();
    awaitState("live");
    clock.forward(Duration.ofSeconds(20));
    awaitState("stale");
    awaitText("#status-text", "stale: last window ended 22 s ago");
    clock.forward(Duration.ofMinutes(20));
    awaitState("no-data");
  }

  @Test
  void saysWhenKafkaIsAway() {
    awaitState("no-data");
    source.lose();
    awaitState("waiting");
  }

  @Test
  void dropsAReplicaThatHasLeft() {
    source.publish(row(ALL, "replica-0", TEN_S, T, 5, 100_000));
    source.publish(row(ALL, "replica-1", TEN_S, T, 5, 100_000));
    source.publish(row(ALL, ALL, TEN_S, T, 10, 100_000));
    browser.await("document.querySelectorAll('#replica-rows tr').length === 2");

    clock.forward(Duration.ofSeconds(40));
    source.publish(row(ALL, "replica-0", TEN_S, T + 40_000, 5, 100_000));
    source.publish(row(ALL, ALL, TEN_S, T + 40_000, 5, 100_000));
    browser.await("document.querySelectorAll('#replica-rows tr').length === 1");
  }

  @Test
  void survivesARestartOfTheConsole() {
    publishWindow();
    awaitState("live");
    int port = server.port();
    server.close();
    awaitState("lost");

    ScriptedSource next = new ScriptedSource();
    server = ConsoleServer.start(config(port), next, clock);
    next.publish(row(ALL, ALL, TEN_S, T, 7, 123_000));
    awaitState("live");
    awaitText("[data-fleet=p95]", "123 ms");
  }

  @Test
  void isUsedByKeyboard() {
    publishWindow();
    awaitState("live");
    for (int i = 0; i < 3; i++) {
      browser.press("Tab", 9); // Skip link, model, window.
    }
    assertEquals("window", browser.evaluate("document.activeElement.name").asText());
    browser.press("ArrowLeft", 37);
    awaitText("[data-fleet=p95]", "500 ms");
  }

  @Test
  void fitsAPhone() {
    browser.resize(390, 800);
    publishWindow();
    awaitState("live");
    browser.await("document.documentElement.scrollWidth <= 390");
  }
}
