/** What engines hold, in Warmpath's own hashes: computed from tokens, never guessed. */
package io.warmpath.bridge.state;
