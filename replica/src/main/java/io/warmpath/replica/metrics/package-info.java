/** A replica's own figures, under vLLM's names. */
package io.warmpath.replica.metrics;
