/** Benchmarks in small: of what the stats job does for each event, each pane and each window. */
package io.warmpath.bench.micro;
