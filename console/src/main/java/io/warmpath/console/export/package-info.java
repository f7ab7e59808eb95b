/**
 * Weights for other routers: follows {@code llm.routing-weights} and brings the weights to Envoy,
 * HAProxy, nginx or a Gateway API route. What a router should have is computed without I/O or a
 * clock ({@link io.warmpath.console.export.FleetWeights}); each router is one {@link
 * io.warmpath.console.export.RouterTarget}.
 */
package io.warmpath.console.export;
