package io.warmpath.bench.streams;

import io.warmpath.routing.measure.DurationSketch;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Requests of a key and some time, added up. */
final class WindowSum {

  private long requests;
  private long promptTokens;
  private long cachedTokens;
  private DurationSketch e2e = new DurationSketch();

  WindowSum add(RequestSample sample) {
    requests++;
    promptTokens += sample.promptTokens();
    cachedTokens += Math.max(0, sample.cachedTokens());
    if (sample.e2eUs() >= 0) {
      e2e.add(sample.e2eUs());
    }
    return this;
  }

  WindowSum merge(WindowSum other) {
    requests += other.requests;
    promptTokens += other.promptTokens;
    cachedTokens += other.cachedTokens;
    e2e.merge(other.e2e);
    return this;
  }

  long requests() {
    return requests;
  }

  /** The 95th percentile of the end-to-end time, −1 where none was answered. */
  long p95Us() {
    return e2e.isEmpty() ? -1 : e2e.quantile(0.95);
  }

  byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeLong(requests);
      out.writeLong(promptTokens);
      out.writeLong(cachedTokens);
      e2e.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static WindowSum ofBytes(byte[] bytes) {
    WindowSum sum = new WindowSum();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      sum.requests = in.readLong();
      sum.promptTokens = in.readLong();
      sum.cachedTokens = in.readLong();
      sum.e2e = DurationSketch.readFrom(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sum;
  }
}
