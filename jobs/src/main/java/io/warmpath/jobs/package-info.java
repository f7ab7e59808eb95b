/** The Flink jobs: windowed statistics from events, and routing weights from statistics. */
package io.warmpath.jobs;
