/** Placeholder. */
package io.warmpath.replica;
