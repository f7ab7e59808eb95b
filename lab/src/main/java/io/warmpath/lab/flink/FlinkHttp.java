package io.warmpath.lab.flink;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** JSON over HTTP to one address, every request and answer bounded. */
final class FlinkHttp {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** A jar of many megabytes may have a long way. */
  private static final Duration UPLOAD_TIMEOUT = Duration.ofMinutes(5);

  private static final int MAX_ANSWER_BYTES = 32 << 20;
  private static final int SHOWN_CHARS = 400;

  /** A job manager that hands over to another is back soon. */
  private static final int TRIES = 5;

  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);
  private static final String BOUNDARY = "warmpath-jar-6f1d0c3e";

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build();
  private final String address;

  FlinkHttp(URI address) {
    this.address = address.toString().replaceAll("/+$", "");
  }

  String address() {
    return address;
  }

  /** Asks; again if there is no answer, as asking changes nothing. */
  JsonNode get(String path) throws FlinkRestException, InterruptedException {
    for (int tries = 1; ; tries++) {
      try {
        return send(request(path, TIMEOUT).GET().build());
      } catch (FlinkRestException e) {
        boolean mayPass = e.status() == FlinkRestException.NO_ANSWER || e.status() == 503;
        if (!mayPass || tries == TRIES) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(BETWEEN_TRIES.toMillis());
      }
    }
  }

  JsonNode post(String path, JsonNode body) throws FlinkRestException, InterruptedException {
    return send(
        request(path, TIMEOUT)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.toString()))
            .build());
  }

  JsonNode patch(String path) throws FlinkRestException, InterruptedException {
    return send(request(path, TIMEOUT).method("PATCH", BodyPublishers.noBody()).build());
  }

  /** Sends a file as the only part of a form. */
  JsonNode upload(String path, Path file, String name)
      throws FlinkRestException, InterruptedException {
    String head =
        "--%s\r\nContent-Disposition: form-data; name=\"jarfile\"; filename=\"%s\"\r\n"
            + "Content-Type: application/x-java-archive\r\n\r\n";
    return send(
        request(path, UPLOAD_TIMEOUT)
            .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
            .POST(
                BodyPublishers.concat(
                    BodyPublishers.ofString(head.formatted(BOUNDARY, name)),
                    content(file),
                    BodyPublishers.ofString("\r\n--" + BOUNDARY + "--\r\n")))
            .build());
  }

  private static BodyPublisher content(Path file) {
    try {
      return BodyPublishers.ofFile(file);
    } catch (FileNotFoundException e) {
      throw new UncheckedIOException(file + ": no such file", e);
    }
  }

  private HttpRequest.Builder request(String path, Duration timeout) {
    return HttpRequest.newBuilder(URI.create(address + path)).timeout(timeout);
  }

  private JsonNode send(HttpRequest request) throws FlinkRestException, InterruptedException {
    String what = request.method() + " " + request.uri();
    int status = FlinkRestException.NO_ANSWER;
    byte[] body;
    try {
      HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
      status = response.statusCode();
      try (InputStream in = response.body()) {
        body = in.readNBytes(MAX_ANSWER_BYTES + 1);
      }
    } catch (IOException e) {
      String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      throw new FlinkRestException(what + ": no answer: " + reason, status, e);
    }
    if (body.length > MAX_ANSWER_BYTES) {
      throw new FlinkRestException(
          what + ": the answer is larger than " + MAX_ANSWER_BYTES + " bytes", status, null);
    }
    if (status / 100 != 2) {
      throw new FlinkRestException(what + ": " + status + " " + reason(body), status, null);
    }
    try {
      return MAPPER.readTree(body);
    } catch (IOException e) {
      throw new FlinkRestException(
          what + ": the answer is no JSON; is that a Flink REST endpoint?", status, e);
    }
  }

  /** Flink's reason: of a trace, the innermost cause that it names. */
  private static String reason(byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8);
    try {
      JsonNode errors = MAPPER.readTree(body).path("errors");
      text = errors.isArray() && !errors.isEmpty() ? errors.get(errors.size() - 1).asText() : text;
    } catch (IOException e) {
      // Some proxy's own page: shown as it is.
    }
    return StackTraces.reason(text, SHOWN_CHARS);
  }
}
