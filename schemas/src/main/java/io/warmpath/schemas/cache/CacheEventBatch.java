package io.warmpath.schemas.cache;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.warmpath.schemas.Require;
import io.warmpath.schemas.WarmpathRecord;
import java.util.List;

/**
 * KV-cache events of one replica, in order.
 *
 * @param eventTimeMs when the last of them happened, at the engine
 * @param replica replica name
 * @param model model served
 * @param source who observed them
 * @param incarnation start of the engine, epoch milliseconds: a restart under the same name is seen
 * @param rank data-parallel rank, 0 for the only one
 * @param seq number of this batch, per source and rank, from 0 with each incarnation
 * @param part 0, 1, … where one batch was split to stay below the size limit, all parts under the
 *     same {@code seq}; absent (null) if it was not
 * @param events what happened
 */
@JsonPropertyOrder("v")
public record CacheEventBatch(
    long eventTimeMs,
    String replica,
    String model,
    Source source,
    long incarnation,
    int rank,
    long seq,
    @JsonInclude(Include.NON_NULL) Integer part,
    List<CacheEvent> events)
    implements WarmpathRecord {

  /** Who observed the events. */
  public enum Source {
    @JsonProperty("engine")
    ENGINE,
    @JsonProperty("bridge")
    BRIDGE,
    @JsonProperty("scrape")
    SCRAPE
  }

  public CacheEventBatch {
    Require.time(eventTimeMs, "event_time_ms");
    Require.present(replica, "replica");
    Require.present(model, "model");
    Require.present(source, "source");
    Require.time(incarnation, "incarnation");
    Require.notNegative(rank, "rank");
    Require.measure(seq, "seq");
    Require.notNegative(part, "part");
    events = Require.list(events, "events");
  }
}
