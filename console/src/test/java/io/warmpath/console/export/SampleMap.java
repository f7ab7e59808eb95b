package io.warmpath.console.export;

import static io.warmpath.console.SampleResults.MODEL;

import io.warmpath.console.SampleResults;
import io.warmpath.schemas.weights.ReplicaWeight;
import io.warmpath.schemas.weights.RoutingWeights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Four replicas as a router has them. */
final class SampleMap {

  static final List<String> NAMES = List.of("replica-0", "replica-1", "replica-2", "replica-3");

  static final String REPLICAS =
      """
      replicas:
        - {name: replica-0, host: 10.0.0.1, port: 8000}
        - {name: replica-1, host: 10.0.0.2, port: 8000}
        - {name: replica-2, host: 10.0.0.3, port: 8000}
        - {name: replica-3, host: 10.0.0.4, port: 8000}
      """;

  private SampleMap() {}

  static ReplicaMap of(Path folder, ExportFormat format, String more) throws IOException {
    Path file = folder.resolve("replicas.yaml");
    Files.writeString(file, "model: " + MODEL + "\n" + more + REPLICAS);
    return ReplicaMap.load(file, format);
  }

  /** Weights of replica-0 and so on for the map. */
  static RouterWeights weights(ReplicaMap map, WeightScale scale, double... weights) {
    FleetWeights fleet = new FleetWeights(MODEL, NAMES, VanishedReplicas.DRAIN);
    fleet.accept(SampleResults.weights(1_000, 1, 1, 1, 1));
    fleet.accept(SampleResults.weights(2_000, weights));
    return RouterWeights.of(fleet.at(2_001), map.replicas(), scale);
  }

  /** The same weights with another end of their lease. */
  static RoutingWeights until(long validUntilMs, RoutingWeights weights) {
    List<ReplicaWeight> replicas = weights.replicas();
    return new RoutingWeights(
        weights.model(),
        weights.epoch(),
        validUntilMs,
        weights.windowEndMs(),
        weights.backlogShare(),
        null,
        replicas,
        List.of());
  }
}
