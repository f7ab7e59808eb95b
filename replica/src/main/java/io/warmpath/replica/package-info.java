/**
 * An OpenAI-compatible inference replica whose engine is modelled: KV cache, scheduler and step
 * times behave like a GPU server's, the text is made up. Its cache events, telemetry and metrics
 * are those of a real one.
 */
package io.warmpath.replica;
