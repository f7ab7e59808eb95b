package io.warmpath.jobs.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * A sink that tests in the same JVM can look into.
 *
 * @param <T> what it collects
 */
public final class CollectingSink<T> implements Sink<T> {

  private static final long serialVersionUID = 1L;

  private static final Map<String, List<Object>> COLLECTED = new ConcurrentHashMap<>();

  private final String id = UUID.randomUUID().toString();

  public CollectingSink() {
    COLLECTED.put(id, Collections.synchronizedList(new ArrayList<>()));
  }

  /** What has come so far, in order. */
  @SuppressWarnings("unchecked") // Only writers of this sink add under its id.
  public List<T> collected() {
    List<Object> collected = COLLECTED.get(id);
    synchronized (collected) {
      return (List<T>) List.copyOf(collected);
    }
  }

  @Override
  public SinkWriter<T> createWriter(WriterInitContext context) {
    List<Object> into = COLLECTED.get(id);
    return new SinkWriter<>() {
      @Override
      public void write(T element, Context writeContext) {
        into.add(element);
      }

      @Override
      public void flush(boolean endOfInput) {
        // Nothing is held back.
      }

      @Override
      public void close() {
        // Nothing is open.
      }
    };
  }
}
