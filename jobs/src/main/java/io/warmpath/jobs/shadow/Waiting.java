package io.warmpath.jobs.shadow;

import io.warmpath.routing.prompt.ContentHash;
import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.codec.Codecs;
import io.warmpath.schemas.request.Finished;
import io.warmpath.schemas.request.RequestEvent;
import io.warmpath.schemas.weights.RoutingWeights;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * An event that waits for the watermark. Events of one millisecond are played weights first, then
 * answers, then requests, each by what they are and not by when they came.
 *
 * @param timeMs event time
 * @param rank 0 for weights, 1 for answers, 2 for requests
 * @param fingerprint 64-bit hash of the request's id
 * @param record what happened
 */
record Waiting(long timeMs, int rank, long fingerprint, WarmpathRecord record)
    implements Comparable<Waiting> {

  private static final int WEIGHTS = 0;
  private static final int ANSWER = 1;
  private static final int REQUEST = 2;

  static Waiting of(long timeMs, RequestEvent event) {
    int rank = event instanceof Finished ? ANSWER : REQUEST;
    return new Waiting(timeMs, rank, ContentHash.of(event.context().requestId()), event);
  }

  static Waiting of(long timeMs, RoutingWeights weights) {
    return new Waiting(timeMs, WEIGHTS, weights.epoch(), weights);
  }

  @Override
  public int compareTo(Waiting other) {
    if (timeMs != other.timeMs) {
      return Long.compare(timeMs, other.timeMs);
    }
    return rank != other.rank
        ? Integer.compare(rank, other.rank)
        : Long.compare(fingerprint, other.fingerprint);
  }

  void writeTo(DataOutput out) throws IOException {
    byte[] bytes =
        record instanceof RoutingWeights weights
            ? Codecs.ROUTING_WEIGHTS.encode(weights)
            : Codecs.REQUEST_EVENT.encode((RequestEvent) record);
    out.writeLong(timeMs);
    out.writeByte(rank);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static Waiting readFrom(DataInput in) throws IOException {
    long timeMs = in.readLong();
    boolean weights = in.readByte() == WEIGHTS;
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return weights
        ? of(timeMs, Codecs.ROUTING_WEIGHTS.decode(bytes))
        : of(timeMs, Codecs.REQUEST_EVENT.decode(bytes));
  }
}
