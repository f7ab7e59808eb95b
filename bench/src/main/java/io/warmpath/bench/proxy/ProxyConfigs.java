package io.warmpath.bench.proxy;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What each proxy is told: one thread, kept connections to the upstreams, the upstream with the
 * fewest open requests, every chunk passed on at once, nothing logged.
 */
final class ProxyConfigs {

  /** More than any measurement asks of one connection. */
  private static final int MANY_REQUESTS = 1_000_000_000;

  private static final int CONNECTIONS = 8192;

  private ProxyConfigs() {}

  /** For nginx 1.22 or newer. */
  static String nginx(int port, List<Integer> upstreams, Path folder) {
    return """
        %s
        daemon off;
        worker_processes 1;
        pid %s/nginx.pid;
        error_log %s/nginx-error.log;
        events { worker_connections %d; }
        http {
          access_log off;
          client_body_temp_path %s/nginx-body;
          proxy_temp_path %s/nginx-proxy;
          fastcgi_temp_path %s/nginx-fastcgi;
          uwsgi_temp_path %s/nginx-uwsgi;
          scgi_temp_path %s/nginx-scgi;
          keepalive_requests %d;
          upstream replicas {
            least_conn;
        %s
            keepalive 1024;
            keepalive_requests %d;
          }
          server {
            listen 127.0.0.1:%d backlog=4096;
            location / {
              proxy_pass http://replicas;
              proxy_http_version 1.1;
              proxy_set_header Connection "";
              proxy_buffering off;
            }
          }
        }
        """
        .formatted(
            // Its worker would else run as one who may not enter the folder.
            "root".equals(System.getProperty("user.name")) ? "user root;" : "",
            folder,
            folder,
            CONNECTIONS,
            folder,
            folder,
            folder,
            folder,
            folder,
            MANY_REQUESTS,
            each(upstreams, "    server 127.0.0.1:%2$d;"),
            MANY_REQUESTS,
            port);
  }

  /** For HAProxy 2.6 or newer. */
  static String haproxy(int port, List<Integer> upstreams) {
    return """
        global
          nbthread 1
          maxconn %d
        defaults
          mode http
          option http-no-delay
          timeout connect 5s
          timeout client 60s
          timeout server 60s
        frontend clients
          bind 127.0.0.1:%d backlog 4096
          default_backend replicas
        backend replicas
          balance leastconn
          http-reuse always
        %s
        """
        .formatted(CONNECTIONS, port, each(upstreams, "  server replica-%1$d 127.0.0.1:%2$d"));
  }

  /**
   * For the balancer: as it is by default, with events, weights and cache events on.
   *
   * @param admin port of its admin pages
   */
  static String balancer(int port, int admin, List<Integer> upstreams, String bootstrapServers) {
    return """
        name: bench
        policy: adaptive
        listen: {port: %d}
        admin: {port: %d}
        models:
          - name: %s
            replicas:
        %s
        kafka: {bootstrap.servers: "%s"}
        """
        .formatted(
            port,
            admin,
            Answers.MODEL,
            each(upstreams, "      - {name: replica-%1$d, url: \"http://127.0.0.1:%2$d\"}"),
            bootstrapServers);
  }

  /** A line for each upstream, of its number and its port. */
  private static String each(List<Integer> upstreams, String line) {
    return IntStream.range(0, upstreams.size())
        .mapToObj(number -> line.formatted(number, upstreams.get(number)))
        .collect(Collectors.joining("\n"));
  }
}
