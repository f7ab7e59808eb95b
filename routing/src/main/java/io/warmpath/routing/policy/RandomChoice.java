package io.warmpath.routing.policy;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Any available replica, one draw of {@code java.util.Random(42)} a request. */
final class RandomChoice implements RoutingPolicy {

  private final ResumableRandom random = new ResumableRandom(42);

  @Override
  public String name() {
    return "random";
  }

  @Override
  public boolean goesByLoad() {
    return false;
  }

  @Override
  public int choose(RoutingView view) {
    int count = Available.count(view);
    return count == 0 ? NONE : Available.at(view, random.nextInt(count));
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
