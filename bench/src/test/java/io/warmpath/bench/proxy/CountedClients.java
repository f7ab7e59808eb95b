package io.warmpath.bench.proxy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that ask without a pause until they are closed, each its next request after an answer.
 */
final class CountedClients implements AutoCloseable {

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final HttpRequest request;
  private final AtomicLong answers = new AtomicLong();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closed;

  CountedClients(int port, int clients) {
    request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/")).build();
    for (int i = 0; i < clients; i++) {
      Thread thread = new Thread(this::ask, "client-" + i);
      thread.start();
      threads.add(thread);
    }
  }

  private void ask() {
    while (!closed) {
      try {
        int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        if (status == 200) {
          answers.incrementAndGet();
        } else {
          failures.add("status " + status);
        }
      } catch (IOException e) {
        failures.add(e.toString());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Answers so far. */
  long answers() {
    return answers.get();
  }

  /** What went wrong so far. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
