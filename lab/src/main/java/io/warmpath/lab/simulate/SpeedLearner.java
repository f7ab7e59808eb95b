package io.warmpath.lab.simulate;

/** Speeds. */
final class SpeedLearner {
  SpeedLearner(int replicas) {}

  void advance(long nowMicros) {}

  void firstToken(int replica, long timeMicros, long load, long ttftMicros) {}

  double weight(int replica) {
    return 1;
  }

  double interceptMicros(int replica) {
    return 0;
  }

  double microsPerToken(int replica) {
    return 1;
  }

  double backlogShare() {
    return 0.15;
  }
}
