package io.warmpath.replica.events;

import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;

/**
 * Where a replica's records go. It is called by one thread, may lose records (and counts them), and
 * never throws for a destination that is down.
 */
public interface CacheEventSink extends AutoCloseable {

  /** Takes nothing. */
  CacheEventSink NONE =
      new CacheEventSink() {
        @Override
        public void send(CacheEventBatch batch) {}

        @Override
        public void send(ReplicaTelemetry telemetry) {}

        @Override
        public long dropped() {
          return 0;
        }

        @Override
        public void close() {}
      };

  /** Sends one batch, or one part of a split one. */
  void send(CacheEventBatch batch);

  /** Sends a sign of life. */
  void send(ReplicaTelemetry telemetry);

  /** Records lost so far. Any thread may ask. */
  long dropped();

  /** Sends what is buffered, for a short time at most. */
  @Override
  void close();
}
