/** The nearest Kafka Streams program. */
package io.warmpath.bench.streams;
