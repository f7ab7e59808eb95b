/**
 * Reads server-sent events and the completion chunks in them without touching what is forwarded.
 */
package io.warmpath.balancer.sse;
