/** What a replica tells Kafka: cache events and telemetry. Serving never waits for it. */
package io.warmpath.replica.events;
