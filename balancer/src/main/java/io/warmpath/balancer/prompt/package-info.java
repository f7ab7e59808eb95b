/** Turns what a client asks into the block hashes that say which replica holds its prefix. */
package io.warmpath.balancer.prompt;
