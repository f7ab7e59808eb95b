package io.warmpath.replica.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.vertx.ext.web.RoutingContext;
import io.warmpath.replica.ReplicaConfig;
import io.warmpath.replica.fault.FaultOrder;
import io.warmpath.replica.metrics.ReplicaMetrics;
import io.warmpath.replica.realtime.RealTimeEngine;
import java.io.IOException;
import java.util.function.LongSupplier;

/** Everything that does not generate: models, health, metrics, and the two ways to interfere. */
public final class AdminApi {

  private static final String JSON = "application/json";

  private final ReplicaConfig config;
  private final RealTimeEngine engine;
  private final ReplicaMetrics metrics;
  private final LongSupplier eventsDropped;
  private final long createdSeconds;

  public AdminApi(
      ReplicaConfig config,
      RealTimeEngine engine,
      ReplicaMetrics metrics,
      LongSupplier eventsDropped,
      long createdSeconds) {
    this.config = config;
    this.engine = engine;
    this.metrics = metrics;
    this.eventsDropped = eventsDropped;
    this.createdSeconds = createdSeconds;
  }

  /** The model that is served. */
  public void models(RoutingContext context) {
    String model =
        "{\"id\":"
            + Json.quoted(config.model())
            + ",\"object\":\"model\",\"created\":"
            + createdSeconds
            + ",\"owned_by\":\"warmpath\",\"root\":"
            + Json.quoted(config.profile().name())
            + ",\"parent\":null,\"max_model_len\":"
            + config.profile().maxModelTokens()
            + ",\"permission\":[]}";
    answer(context, "{\"object\":\"list\",\"data\":[" + model + "]}");
  }

  /** 200 with no body while the engine runs. */
  public void health(RoutingContext context) {
    context.response().setStatusCode(engine.failed() ? 503 : 200).end();
  }

  /** Prometheus text. */
  public void metrics(RoutingContext context) {
    context
        .response()
        .putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8")
        .end(metrics.page(engine.snapshot(), eventsDropped.getAsLong()));
  }

  /** Empties the prefix cache, also where sequences run: they keep what they hold. */
  public void resetPrefixCache(RoutingContext context) {
    engine.clearCache();
    context.response().end();
  }

  /** The speed factor in force. */
  public void speed(RoutingContext context) {
    answer(context, "{\"factor\":" + engine.speed() + "}");
  }

  /** Sets the speed factor. */
  public void setSpeed(RoutingContext context, byte[] json) {
    engine.setSpeed(factor(json));
    speed(context);
  }

  private static double factor(byte[] json) {
    Double factor = null;
    try (JsonParser parser = Json.FACTORY.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw ApiException.badBody("the body is not a JSON object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean isFactor = parser.currentName().equals("factor");
        JsonToken value = parser.nextToken();
        if (isFactor && value.isNumeric()) {
          factor = parser.getDoubleValue();
        } else {
          parser.skipChildren();
        }
      }
    } catch (IOException e) {
      throw ApiException.notJson(e);
    }
    if (factor == null || !(factor >= FaultOrder.MIN_SPEED && factor <= FaultOrder.MAX_SPEED)) {
      throw ApiException.badField(
          "factor",
          "must be a number from " + FaultOrder.MIN_SPEED + " to " + FaultOrder.MAX_SPEED);
    }
    return factor;
  }

  private static void answer(RoutingContext context, String json) {
    context.response().putHeader("content-type", JSON).end(json);
  }
}
