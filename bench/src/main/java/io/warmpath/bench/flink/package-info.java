/** What is measured on Flink. */
package io.warmpath.bench.flink;
