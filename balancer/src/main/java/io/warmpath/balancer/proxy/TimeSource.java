package io.warmpath.balancer.proxy;

/** The clocks of measuring. */
public interface TimeSource {

  /** The machine's clocks. */
  TimeSource SYSTEM =
      new TimeSource() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public long epochMillis() {
          return System.currentTimeMillis();
        }
      };

  /** Monotonic time, ns. */
  long nanos();

  /** Wall clock, epoch milliseconds. */
  long epochMillis();
}
