/** Chained hashes of prompt blocks, and which of them are sampled. */
package io.warmpath.routing.prefix;
