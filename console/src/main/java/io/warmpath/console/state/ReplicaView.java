package io.warmpath.console.state;

import io.warmpath.schemas.weights.ReplicaWeight;
import java.util.List;

/**
 * A replica on the page: known from its traffic, from the weights, or from both.
 *
 * @param replica name
 * @param live whether it had traffic in the newest window
 * @param row its newest figures, or null
 * @param weight its published weight, or null
 * @param weightHistory published weights, oldest first
 */
public record ReplicaView(
    String replica,
    boolean live,
    WindowRow row,
    ReplicaWeight weight,
    List<WeightPoint> weightHistory) {}
