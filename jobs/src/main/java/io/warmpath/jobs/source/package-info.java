/** From Kafka records to events with times, whatever the records hold. */
package io.warmpath.jobs.source;
