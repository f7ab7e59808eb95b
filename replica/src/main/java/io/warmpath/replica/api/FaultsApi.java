package io.warmpath.replica.api;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import io.vertx.ext.web.RoutingContext;
import io.warmpath.replica.fault.FaultOrder;
import io.warmpath.replica.fault.Faults;
import io.warmpath.replica.realtime.RealTimeEngine;
import java.io.IOException;
import java.util.Locale;

/** {@code /admin/faults}: sets faults, and shows which are set. Event loop only. */
public final class FaultsApi {

  private static final long US_PER_MS = 1_000;

  private final GenerationHost host;
  private final RealTimeEngine engine;
  private final Faults faults;

  /**
   * @param host restarts, when told to
   */
  public FaultsApi(GenerationHost host) {
    this.host = host;
    engine = host.engine();
    faults = host.faults();
  }

  /** All faults, and how much of each is left. */
  public void show(RoutingContext context) {
    String json =
        String.format(
            Locale.ROOT,
            "{\"speed\":%s,\"drift_ms\":%d,\"stall_ms\":%d,\"reject_share\":%s,"
                + "\"reject_status\":%d,\"crash_requests\":%d,\"crash_after_tokens\":%d,"
                + "\"lose_batches\":%d,\"duplicate_batches\":%d,\"reorder_batches\":%d}",
            engine.speed(),
            engine.driftLeftUs() / US_PER_MS,
            engine.stallLeftUs() / US_PER_MS,
            faults.rejectShare(),
            faults.rejectStatus(),
            faults.crashRequests(),
            faults.crashAfterTokens(),
            faults.loseBatches(),
            faults.duplicateBatches(),
            faults.reorderBatches());
    context.response().putHeader("content-type", "application/json").end(json);
  }

  /** Changes what the body names, and shows all. */
  public void set(RoutingContext context, byte[] json) {
    FaultOrder order = parse(json);
    faults.set(order);
    if (order.speed() != null) {
      long driftMs = order.driftMs() == null ? 0 : order.driftMs();
      engine.driftSpeed(order.speed(), driftMs * US_PER_MS);
    }
    if (order.stallMs() != null) {
      engine.stall(order.stallMs() * US_PER_MS);
    }
    if (Boolean.TRUE.equals(order.restart())) {
      host.restart();
    }
    show(context);
  }

  private static FaultOrder parse(byte[] json) {
    try {
      FaultOrder order = FaultOrder.reader().readValue(json);
      if (order == null) {
        throw ApiException.badBody("the body is not a JSON object");
      }
      return order;
    } catch (ValueInstantiationException e) {
      throw ApiException.badBody(e.getCause().getMessage());
    } catch (JsonMappingException e) {
      throw refusal(e);
    } catch (IOException e) {
      throw ApiException.notJson(e);
    }
  }

  private static ApiException refusal(JsonMappingException e) {
    if (e.getPath().isEmpty()) {
      return ApiException.badBody("the body is not one JSON object");
    }
    return ApiException.badField(
        e.getPath().get(0).getFieldName(), "is no fault, or has the wrong type");
  }
}
