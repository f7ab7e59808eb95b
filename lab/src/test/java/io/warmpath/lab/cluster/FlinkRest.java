package io.warmpath.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.lab.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A Flink cluster's REST API, as far as deploying a job needs it. */
final class FlinkRest {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String BOUNDARY = "warmpath-jar";

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private final String address;

  FlinkRest(String address) {
    this.address = address;
  }

  /** Slots of all task managers that are known. */
  int slots() throws IOException, InterruptedException {
    return get("/overview").path("slots-total").intValue();
  }

  /**
   * Uploads a jar and runs a job of it.
   *
   * @param savepoint where it goes on from; null for an empty state
   * @return the job's id
   */
  String run(Path jar, String mainClass, int parallelism, String savepoint, List<String> arguments)
      throws IOException, InterruptedException {
    String file = upload(jar).path("filename").textValue();
    String id = file.substring(file.lastIndexOf('/') + 1);
    var request = MAPPER.createObjectNode();
    request.put("entryClass", mainClass).put("parallelism", parallelism);
    request.set("programArgsList", MAPPER.valueToTree(arguments));
    if (savepoint != null) {
      request.put("savepointPath", savepoint);
    }
    return post("/jars/" + id + "/run", request).path("jobid").textValue();
  }

  private JsonNode upload(Path jar) throws IOException, InterruptedException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    String head =
        "--%s\r\nContent-Disposition: form-data; name=\"jarfile\"; filename=\"%s\"\r\n"
            + "Content-Type: application/x-java-archive\r\n\r\n";
    body.write(head.formatted(BOUNDARY, jar.getFileName()).getBytes(StandardCharsets.UTF_8));
    Files.copy(jar, body);
    body.write(("\r\n--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.UTF_8));
    return answer(
        HttpRequest.newBuilder(URI.create(address + "/jars/upload"))
            .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body.toByteArray())));
  }

  /** Whether the job and all its subtasks run. */
  boolean isRunning(String job) throws IOException, InterruptedException {
    JsonNode details = get("/jobs/" + job);
    if (!details.path("state").asText().equals("RUNNING")) {
      return false;
    }
    for (JsonNode vertex : details.path("vertices")) {
      if (vertex.path("tasks").path("RUNNING").intValue()
          != vertex.path("parallelism").intValue()) {
        return false;
      }
    }
    return true;
  }

  /** Identity of the last completed checkpoint: it rises, also through restarts; 0 for none. */
  long lastCheckpoint(String job) throws IOException, InterruptedException {
    return get("/jobs/" + job + "/checkpoints").at("/latest/completed/id").longValue();
  }

  /** How often the job was restored from a checkpoint or savepoint under this job manager. */
  long restored(String job) throws IOException, InterruptedException {
    return get("/jobs/" + job + "/checkpoints").at("/counts/restored").longValue();
  }

  /** Why the job failed last; empty if it never did. */
  String lastFailure(String job) throws IOException, InterruptedException {
    return get("/jobs/" + job + "/exceptions")
        .at("/exceptionHistory/entries/0/stacktrace")
        .asText("");
  }

  /**
   * Takes a savepoint and stops the job with it.
   *
   * @return where the savepoint lies
   */
  String stop(String job, Duration patience) throws IOException, InterruptedException {
    String trigger =
        post("/jobs/" + job + "/stop", Map.of("drain", false)).path("request-id").textValue();
    String path = "/jobs/" + job + "/savepoints/" + trigger;
    Await.until(
        "savepoint is complete",
        patience,
        () -> get(path).at("/status/id").asText().equals("COMPLETED"));
    JsonNode operation = get(path).path("operation");
    if (operation.has("failure-cause")) {
      throw new IllegalStateException("no savepoint: " + operation.path("failure-cause"));
    }
    return operation.path("location").textValue();
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    return answer(HttpRequest.newBuilder(URI.create(address + path)).GET());
  }

  private JsonNode post(String path, Object body) throws IOException, InterruptedException {
    return answer(
        HttpRequest.newBuilder(URI.create(address + path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(MAPPER.writeValueAsBytes(body))));
  }

  private JsonNode answer(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<byte[]> response =
        client.send(request.timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofByteArray());
    if (response.statusCode() / 100 != 2) {
      throw new IOException(
          response.uri().getPath()
              + ": "
              + response.statusCode()
              + " "
              + new String(response.body(), StandardCharsets.UTF_8));
    }
    return MAPPER.readTree(response.body());
  }
}
