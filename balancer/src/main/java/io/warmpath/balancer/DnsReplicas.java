package io.warmpath.balancer;

import java.time.Duration;

/**
 * Replicas behind a name, one for each address that it has: a headless service for instance.
 *
 * @param host the name
 * @param port port of all of them
 * @param refresh how often the name is looked up
 */
public record DnsReplicas(String host, int port, Duration refresh) {}
