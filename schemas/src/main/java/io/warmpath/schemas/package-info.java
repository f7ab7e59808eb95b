/**
 * The contracts of Warmpath: every record that travels through Kafka, its codec, its key and the
 * topic it lives on. Times are epoch milliseconds ({@code *Ms}), durations microseconds ({@code
 * *Us}).
 */
package io.warmpath.schemas;
