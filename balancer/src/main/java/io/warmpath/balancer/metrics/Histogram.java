package io.warmpath.balancer.metrics;

import java.util.concurrent.atomic.LongAdder;

/** A classic histogram of durations. Safe for concurrent use. */
final class Histogram {

  private final double[] boundsSeconds;
  private final LongAdder[] counts;
  private final LongAdder sumMicros = new LongAdder();

  Histogram(double[] boundsSeconds) {
    this.boundsSeconds = boundsSeconds;
    counts = new LongAdder[boundsSeconds.length + 1];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  void observe(long micros) {
    double seconds = micros / 1e6;
    int bucket = 0;
    while (bucket < boundsSeconds.length && seconds > boundsSeconds[bucket]) {
      bucket++;
    }
    counts[bucket].increment();
    sumMicros.add(micros);
  }

  void writeTo(PrometheusText text, String name, String... labels) {
    long count = 0;
    for (int i = 0; i < counts.length; i++) {
      count += counts[i].sum();
      String bound = i == boundsSeconds.length ? "+Inf" : PrometheusText.number(boundsSeconds[i]);
      text.sample(name + "_bucket", count, PrometheusText.with(labels, "le", bound));
    }
    text.sample(name + "_sum", sumMicros.sum() / 1e6, labels);
    text.sample(name + "_count", count, labels);
  }
}
