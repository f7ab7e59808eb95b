package io.warmpath.console.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One page in a headless Chromium, driven over its debugging protocol. */
final class Chromium implements AutoCloseable {

  private static final List<Path> PLACES =
      List.of(
          Path.of("/usr/bin/chromium"),
          Path.of("/usr/bin/chromium-browser"),
          Path.of("/usr/bin/google-chrome"));
  private static final Pattern ENDPOINT = Pattern.compile("ws://[^\\s]+");
  private static final long ANSWER_SECONDS = 20;

  private final Process process;
  private final JsonMapper json = new JsonMapper();
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final List<String> errors = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final WebSocket socket;

  private Chromium(Process process, URI page) {
    this.process = process;
    this.socket =
        HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(page, new Listener()).join();
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      send(domain + ".enable", json.createObjectNode());
    }
  }

  /** The installed browser, if there is one. */
  static Optional<Path> installed() {
    return PLACES.stream().filter(Files::isExecutable).findFirst();
  }

  static Chromium start(Path browser, Path profile) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(browser.toString(), "--headless"));
    for (String flag :
        List.of(
            "no-sandbox",
            "disable-gpu",
            "disable-quic",
            "no-first-run",
            "disable-background-networking",
            "disable-component-update",
            "disable-sync",
            "remote-debugging-port=0",
            "user-data-dir=" + profile)) {
      command.add("--" + flag);
    }
    command.add("about:blank");
    Process process =
        new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    URI endpoint = endpoint(process.errorReader(StandardCharsets.UTF_8));
    return new Chromium(process, pageOf(endpoint.getPort()));
  }

  private static URI endpoint(BufferedReader log) throws IOException {
    for (String line = log.readLine(); line != null; line = log.readLine()) {
      Matcher matcher = ENDPOINT.matcher(line);
      if (matcher.find()) {
        return URI.create(matcher.group());
      }
    }
    throw new IOException("the browser ended before it listened");
  }

  private static URI pageOf(int port) throws IOException, InterruptedException {
    String targets =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json")).build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
    for (JsonNode target : new JsonMapper().readTree(targets)) {
      if (target.get("type").asText().equals("page")) {
        return URI.create(target.get("webSocketDebuggerUrl").asText());
      }
    }
    throw new IOException("the browser has no page: " + targets);
  }

  private JsonNode send(String method, ObjectNode parameters) {
    int id = ids.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    answers.put(id, answer);
    ObjectNode message = json.createObjectNode().put("id", id).put("method", method);
    message.set("params", parameters);
    socket.sendText(message.toString(), true).join();
    return answer.orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS).join();
  }

  /** Sets the size of the window in CSS pixels. */
  void resize(int width, int height) {
    send(
        "Emulation.setDeviceMetricsOverride",
        json.createObjectNode()
            .put("width", width)
            .put("height", height)
            .put("deviceScaleFactor", 1)
            .put("mobile", width < 600));
  }

  void open(String url) {
    send("Page.navigate", json.createObjectNode().put("url", url));
  }

  /** Presses a key such as {@code Tab} or {@code ArrowRight}. */
  void press(String key, int keyCode) {
    for (String type : List.of("rawKeyDown", "keyUp")) {
      send(
          "Input.dispatchKeyEvent",
          json.createObjectNode()
              .put("type", type)
              .put("key", key)
              .put("code", key)
              .put("windowsVirtualKeyCode", keyCode));
    }
  }

  /** The value of an expression; promises are awaited. */
  JsonNode evaluate(String expression) {
    JsonNode answer =
        send(
            "Runtime.evaluate",
            json.createObjectNode()
                .put("expression", expression)
                .put("awaitPromise", true)
                .put("returnByValue", true));
    if (answer.has("exceptionDetails")) {
      throw new AssertionError(expression + " threw " + answer.get("exceptionDetails"));
    }
    return answer.at("/result/value");
  }

  /** Waits until an expression is true; fails with the page's text if it does not become so. */
  void await(String condition) {
    JsonNode met =
        evaluate(
            "new Promise(done => { const end = performance.now() + 12000;"
                + " (function look() { let met = false; try { met = "
                + condition
                + "; } catch (e) { met = false; }"
                + " if (met) done(true); else if (performance.now() > end) done(false);"
                + " else setTimeout(look, 30); })(); })");
    if (!met.asBoolean()) {
      throw new AssertionError(
          condition + " did not become true: " + evaluate("document.body?.innerText").asText());
    }
  }

  /** Errors and warnings of the page so far. */
  List<String> errors() {
    return errors;
  }

  /** URLs that the page has asked for so far. */
  List<String> requests() {
    return requests;
  }

  @Override
  public void close() {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Listener implements WebSocket.Listener {

    private final StringBuilder message = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
      message.append(data);
      if (last) {
        take(message.toString());
        message.setLength(0);
      }
      webSocket.request(1);
      return null;
    }

    private void take(String text) {
      try {
        JsonNode node = json.readTree(text);
        if (node.has("id")) {
          answers.remove(node.get("id").asInt()).complete(node.path("result"));
          return;
        }
        JsonNode parameters = node.path("params");
        switch (node.get("method").asText()) {
          case "Runtime.exceptionThrown" -> errors.add(parameters.toString());
          case "Log.entryAdded" -> errors.add(parameters.at("/entry/text").asText());
          case "Network.requestWillBeSent" -> requests.add(parameters.at("/request/url").asText());
          default -> {
            // Of no interest here.
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
