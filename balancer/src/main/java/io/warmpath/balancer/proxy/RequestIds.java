package io.warmpath.balancer.proxy;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/** Makes request ids: a random part for each start of the balancer, then a count. */
final class RequestIds {

  private final String prefix;
  private final AtomicLong count = new AtomicLong();

  RequestIds(SecureRandom random) {
    prefix = HexFormat.of().toHexDigits(random.nextLong()) + '-';
  }

  String next() {
    return prefix + HexFormat.of().toHexDigits(count.incrementAndGet(), 10);
  }
}
