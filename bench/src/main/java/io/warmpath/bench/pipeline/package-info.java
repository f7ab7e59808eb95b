/** Fills topics, measures each contender in a JVM of its own, and compares. */
package io.warmpath.bench.pipeline;
