package io.warmpath.console.source;

/** Where the results of the jobs come from: the result topics, or a test. */
public interface ResultSource extends AutoCloseable {

  /** How a source is doing. */
  enum Status {
    /** Not reading yet, or no longer: brokers or topics are not there. */
    CONNECTING,
    /** Reading. */
    READING,
    /** Given up for good. */
    FAILED
  }

  /** Begins to read, on a thread of the source's own. Called once. */
  void start(ResultHandler handler);

  /** How the source is doing; safe for every thread. */
  Status status();

  /** Stops reading and waits until no call to the handler is in progress. */
  @Override
  void close();
}
