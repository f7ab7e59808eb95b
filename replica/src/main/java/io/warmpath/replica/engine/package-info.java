/**
 * The modelled engine: prefix cache, continuous batching and step times. It has no clock and no
 * threads, so that the same code runs in real and in virtual time. Nothing here is thread-safe.
 */
package io.warmpath.replica.engine;
