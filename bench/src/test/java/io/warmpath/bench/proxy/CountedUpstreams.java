package io.warmpath.bench.proxy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLongArray;

/** Tiny servers that count what they are asked. */
final class CountedUpstreams implements AutoCloseable {

  private final List<HttpServer> servers = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicLongArray requests;

  CountedUpstreams(int count) throws IOException {
    requests = new AtomicLongArray(count);
    for (int i = 0; i < count; i++) {
      int number = i;
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
      server.createContext("/", exchange -> answer(exchange, number));
      server.setExecutor(threads);
      server.start();
      servers.add(server);
    }
  }

  private void answer(HttpExchange exchange, int number) throws IOException {
    requests.incrementAndGet(number);
    try (exchange) {
      byte[] body = {(byte) ('0' + number)};
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  List<Integer> ports() {
    return servers.stream().map(server -> server.getAddress().getPort()).toList();
  }

  /** Requests of each so far. */
  long[] requests() {
    long[] now = new long[requests.length()];
    for (int i = 0; i < now.length; i++) {
      now[i] = requests.get(i);
    }
    return now;
  }

  @Override
  public void close() {
    servers.forEach(server -> server.stop(0));
    threads.shutdownNow();
  }
}
