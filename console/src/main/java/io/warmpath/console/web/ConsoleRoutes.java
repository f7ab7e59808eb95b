package io.warmpath.console.web;

import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.warmpath.console.metrics.MetricsFormat;
import io.warmpath.console.metrics.MetricsPage;
import io.warmpath.console.source.ResultSource;
import io.warmpath.console.state.ConsoleState;
import io.warmpath.console.state.HistoryDepth;
import java.time.Clock;
import java.util.List;
import java.util.Locale;

/** What the console answers: the page, its event stream, its state as JSON, metrics and health. */
public final class ConsoleRoutes {

  private static final long UPDATE_MS = 1_000;
  private static final int UNAVAILABLE = 503;

  /** The page may load its own files and nothing else, and nothing may run inside it. */
  private static final String CONTENT_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final String HTML = "text/html; charset=utf-8";
  private static final String CSS = "text/css; charset=utf-8";
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final String JSON = "application/json";

  private final ConsoleState state;
  private final ResultSource source;
  private final Clock clock;
  private final EventStreams streams;

  private ConsoleRoutes(
      ConsoleState state, ResultSource source, Clock clock, EventStreams streams) {
    this.state = state;
    this.source = source;
    this.clock = clock;
    this.streams = streams;
  }

  /** Builds the router and begins to send updates. To be called on the server's event loop. */
  public static Router create(
      Vertx vertx, ConsoleState state, ResultSource source, Clock clock, int maxStreams) {
    ConsoleRoutes routes = new ConsoleRoutes(state, source, clock, new EventStreams(maxStreams));
    Router router = Router.router(vertx);
    router.route().handler(ConsoleRoutes::addSecurityHeaders);
    for (Asset asset : assets()) {
      router.get(asset.path()).handler(context -> send(context, asset));
    }
    router.get("/events").handler(routes::openStream);
    router.get("/api/state").handler(routes::sendState);
    router.get("/metrics").handler(routes::sendMetrics);
    router.get("/health").handler(routes::sendHealth);
    vertx.setPeriodic(UPDATE_MS, timer -> routes.sendUpdates());
    return router;
  }

  private static List<Asset> assets() {
    return List.of(
        Asset.load("/", HTML, "index.html"),
        Asset.load("/console.css", CSS, "console.css"),
        Asset.load("/console.js", SCRIPT, "console.js"),
        Asset.load("/format.js", SCRIPT, "format.js"),
        Asset.load("/draw.js", SCRIPT, "draw.js"),
        Asset.load("/icon.svg", "image/svg+xml", "icon.svg"));
  }

  private static void addSecurityHeaders(RoutingContext context) {
    context
        .response()
        .putHeader("content-security-policy", CONTENT_POLICY)
        .putHeader("x-content-type-options", "nosniff")
        .putHeader("referrer-policy", "no-referrer");
    context.next();
  }

  private static void send(RoutingContext context, Asset asset) {
    context
        .response()
        .putHeader("content-type", asset.contentType())
        .putHeader("cache-control", "no-cache")
        .end(asset.content());
  }

  private String state(HistoryDepth depth) {
    return ViewJson.of(source.status(), state.view(clock.millis(), depth));
  }

  private void openStream(RoutingContext context) {
    if (streams.isFull()) {
      context.response().setStatusCode(UNAVAILABLE).end("too many open pages\n");
      return;
    }
    streams.open(context.response(), () -> state(HistoryDepth.FULL));
  }

  private void sendUpdates() {
    streams.send(() -> state(HistoryDepth.FULL), () -> state(HistoryDepth.RECENT));
  }

  private void sendState(RoutingContext context) {
    context
        .response()
        .putHeader("content-type", JSON)
        .putHeader("cache-control", "no-store")
        .end(state(HistoryDepth.FULL));
  }

  private void sendMetrics(RoutingContext context) {
    MetricsFormat format = MetricsFormat.of(context.request().getHeader("accept"));
    context
        .response()
        .putHeader("content-type", format.contentType())
        .end(MetricsPage.render(format, state, source.status(), streams.size(), clock.millis()));
  }

  private void sendHealth(RoutingContext context) {
    ResultSource.Status status = source.status();
    context
        .response()
        .setStatusCode(status == ResultSource.Status.READING ? 200 : UNAVAILABLE)
        .putHeader("content-type", JSON)
        .end(new JsonObject().put("source", status.name().toLowerCase(Locale.ROOT)).encode());
  }
}
