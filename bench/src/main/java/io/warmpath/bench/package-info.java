/** Side-by-side and micro benchmarks. */
package io.warmpath.bench;
