package io.warmpath.lab.stack;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Started parts of a process, closed in the reverse order of their start: once, whether by {@link
 * #close()} or by the end of the process.
 */
public final class Parts implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Parts.class);

  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private final Thread hook = new Thread(this::closeAll, "warmpath-shutdown");
  private boolean closed;

  /** Parts that are closed when the process ends, if nothing closes them before. */
  public Parts() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Takes over a part that has just been started. */
  public synchronized <T extends AutoCloseable> T add(T part) {
    if (closed) {
      closeOne(part);
      throw new IllegalStateException("the process is ending");
    }
    started.push(part);
    return part;
  }

  /** Closes one part before the others. */
  public synchronized void close(AutoCloseable part) {
    if (started.remove(part)) {
      closeOne(part);
    }
  }

  /** Waits until the process is told to end. */
  public void awaitEnd() {
    try {
      // Joins itself, and so for ever: the process ends by its shutdown hooks, not by this thread.
      Thread.currentThread().join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void closeAll() {
    closed = true;
    while (!started.isEmpty()) {
      closeOne(started.pop());
    }
  }

  private static void closeOne(AutoCloseable part) {
    try {
      part.close();
    } catch (Exception e) {
      // The others must still be closed.
      LOG.warn("{} did not close well", part.getClass().getSimpleName(), e);
    }
  }

  @Override
  public void close() {
    closeAll();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending: the hook runs and finds nothing left.
      LOG.debug("closed while the process ends", e);
    }
  }
}
