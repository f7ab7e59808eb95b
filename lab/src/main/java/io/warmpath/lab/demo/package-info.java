/** The founding experiment, played on real Kafka and Flink. */
package io.warmpath.lab.demo;
