package io.warmpath.balancer;

import java.net.URI;

/**
 * A replica in the configuration.
 *
 * @param name name in events, metrics and weights
 * @param url {@code http://host:port}, perhaps with a path before {@code /v1}
 */
public record ReplicaAddress(String name, URI url) {}
