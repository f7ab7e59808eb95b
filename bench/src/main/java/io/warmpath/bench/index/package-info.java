/** Measures the prefix index on a recorded trace. */
package io.warmpath.bench.index;
