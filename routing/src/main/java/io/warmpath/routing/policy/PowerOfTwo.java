package io.warmpath.routing.policy;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Two different available replicas are drawn with {@code java.util.Random(42)}; the one with less
 * outstanding tokens gets the request, the first drawn if equal.
 */
final class PowerOfTwo implements RoutingPolicy {

  private final ResumableRandom random = new ResumableRandom(42);

  @Override
  public String name() {
    return "power_of_two";
  }

  @Override
  public int choose(RoutingView view) {
    int count = Available.count(view);
    if (count == 0) {
      return NONE;
    }
    int firstPosition = random.nextInt(count);
    int first = Available.at(view, firstPosition);
    if (count == 1) {
      return first;
    }
    int secondPosition = random.nextInt(count - 1);
    if (secondPosition >= firstPosition) {
      secondPosition++;
    }
    int second = Available.at(view, secondPosition);
    return view.outstandingTokens(second) < view.outstandingTokens(first) ? second : first;
  }

  @Override
  public void writeTo(DataOutput out) throws IOException {
    out.writeLong(random.state());
  }

  @Override
  public void readFrom(DataInput in) throws IOException {
    random.resume(in.readLong());
  }
}
