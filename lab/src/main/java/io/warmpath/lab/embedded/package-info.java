/** A Kafka broker and a Flink cluster inside this process. */
package io.warmpath.lab.embedded;
