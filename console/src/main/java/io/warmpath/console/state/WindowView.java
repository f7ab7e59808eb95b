package io.warmpath.console.state;

import java.util.List;

/**
 * A model through windows of one size.
 *
 * @param sizeMs length of the windows
 * @param endMs end of the newest complete one; 0 before the first
 * @param total the fleet, or null
 * @param policies by name
 * @param replicas by name
 */
public record WindowView(
    long sizeMs,
    long endMs,
    WindowRow total,
    List<PolicyView> policies,
    List<ReplicaView> replicas) {}
