/** Results as Kafka records. */
package io.warmpath.jobs.sink;
