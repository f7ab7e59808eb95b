package io.warmpath.replica.cuda;

import io.warmpath.replica.ReplicaConfig;
import io.warmpath.replica.ReplicaServer;
import io.warmpath.replica.events.CacheEventSink;
import io.warmpath.schemas.cache.CacheEventBatch;
import io.warmpath.schemas.cache.ReplicaTelemetry;
import io.warmpath.schemas.codec.Codecs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A replica of the tiny transformer in its own process. It writes its port, its events and its
 * telemetry, a line each; where it cannot start, it writes why and ends with 1.
 */
final class CudaReplicaMain {

  private CudaReplicaMain() {}

  public static void main(String[] args) throws InterruptedException {
    ReplicaConfig.Builder config =
        ReplicaConfig.builder()
            .port(0)
            .telemetryInterval(Duration.ofMillis(50))
            .countersInterval(Duration.ofMillis(50));
    if (args[0].equals("cuda")) {
      config.cuda(TransformerModel.load("tiny"));
    }
    ReplicaServer server;
    try {
      server = ReplicaServer.start(config.build(), new Printer());
    } catch (CudaException e) {
      System.err.println(e.getMessage());
      System.exit(1);
      return;
    }
    System.out.println("port " + server.port());
    Thread.currentThread().join();
  }

  private static final class Printer implements CacheEventSink {

    @Override
    public void send(CacheEventBatch batch) {
      print("events", Codecs.CACHE_EVENT_BATCH.encode(batch));
    }

    @Override
    public void send(ReplicaTelemetry telemetry) {
      print("telemetry", Codecs.REPLICA_TELEMETRY.encode(telemetry));
    }

    private static void print(String what, byte[] json) {
      System.out.println(what + " " + new String(json, StandardCharsets.UTF_8));
    }

    @Override
    public long dropped() {
      return 0;
    }

    @Override
    public void close() {
      System.out.println("closed");
    }
  }
}
