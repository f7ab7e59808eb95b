package io.warmpath.lab.flink;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Flink cluster's REST API (2.2), as far as deploying a job needs it. Each call fails with a
 * {@link FlinkRestException} that names the address.
 */
public final class FlinkRest {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final FlinkHttp http;

  /**
   * @param address where the API is, http://host:8081
   */
  public FlinkRest(URI address) {
    http = new FlinkHttp(address);
  }

  /** Where it is. */
  public String address() {
    return http.address();
  }

  /**
   * A job that the cluster knows.
   *
   * @param id its id
   * @param name its name
   * @param state such as RUNNING or FINISHED
   * @param startMs when it was started, epoch milliseconds
   */
  public record Job(String id, String name, String state, long startMs) {

    /** Whether it has neither finished nor failed for good. */
    public boolean isAlive() {
      return !List.of("FINISHED", "CANCELED", "FAILED").contains(state);
    }
  }

  /** All jobs that the cluster remembers. */
  public List<Job> jobs() throws FlinkRestException, InterruptedException {
    List<Job> jobs = new ArrayList<>();
    for (JsonNode job : http.get("/jobs/overview").path("jobs")) {
      jobs.add(
          new Job(
              job.path("jid").asText(),
              job.path("name").asText(),
              job.path("state").asText(),
              job.path("start-time").asLong()));
    }
    return jobs;
  }

  /** A job; empty if the cluster knows none of that id. */
  public Optional<Job> job(String id) throws FlinkRestException, InterruptedException {
    return jobs().stream().filter(job -> job.id().equals(id)).findFirst();
  }

  /** Slots of all task managers that are known. */
  public int slots() throws FlinkRestException, InterruptedException {
    return http.get("/overview").path("slots-total").intValue();
  }

  /** Slots that no job has. */
  public int freeSlots() throws FlinkRestException, InterruptedException {
    return http.get("/overview").path("slots-available").intValue();
  }

  /** The version of Flink. */
  public String version() throws FlinkRestException, InterruptedException {
    return http.get("/config").path("flink-version").asText();
  }

  /** The largest parallelism of a job's operators: so many slots it takes. */
  public int parallelism(String job) throws FlinkRestException, InterruptedException {
    int most = 1;
    for (JsonNode vertex : http.get("/jobs/" + job).path("vertices")) {
      most = Math.max(most, vertex.path("parallelism").intValue());
    }
    return most;
  }

  /** What the job was given to carry. */
  public Map<String, String> parameters(String job)
      throws FlinkRestException, InterruptedException {
    Map<String, String> parameters = new HashMap<>();
    http.get("/jobs/" + job + "/config")
        .at("/execution-config/user-config")
        .properties()
        .forEach(entry -> parameters.put(entry.getKey(), entry.getValue().asText()));
    return parameters;
  }

  /** Whether the job and all its subtasks run. */
  public boolean isRunning(String job) throws FlinkRestException, InterruptedException {
    JsonNode details = http.get("/jobs/" + job);
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

  /** Time between checkpoints, milliseconds; 0 if none are taken. */
  public long checkpointIntervalMs(String job) throws FlinkRestException, InterruptedException {
    try {
      return http.get("/jobs/" + job + "/checkpoints/config").path("interval").longValue();
    } catch (FlinkRestException e) {
      if (e.status() == 404) {
        return 0;
      }
      throw e;
    }
  }

  /** Identity of the last completed checkpoint: it rises, also through restarts; 0 for none. */
  public long lastCheckpoint(String job) throws FlinkRestException, InterruptedException {
    return http.get("/jobs/" + job + "/checkpoints").at("/latest/completed/id").longValue();
  }

  /** Where the job's last savepoint lies, if the cluster remembers one. */
  public Optional<String> lastSavepoint(String job)
      throws FlinkRestException, InterruptedException {
    JsonNode path = http.get("/jobs/" + job + "/checkpoints").at("/latest/savepoint/external_path");
    return Optional.ofNullable(path.textValue());
  }

  /** How often the job was restored from a checkpoint or savepoint under this job manager. */
  public long restored(String job) throws FlinkRestException, InterruptedException {
    return http.get("/jobs/" + job + "/checkpoints").at("/counts/restored").longValue();
  }

  /** Why the job failed last, as a trace; empty if it never did. */
  public String lastFailure(String job) throws FlinkRestException, InterruptedException {
    return http.get("/jobs/" + job + "/exceptions")
        .at("/exceptionHistory/entries/0/stacktrace")
        .asText("");
  }

  /** Ids of the jars that the cluster keeps. */
  public List<String> jars() throws FlinkRestException, InterruptedException {
    List<String> ids = new ArrayList<>();
    for (JsonNode file : http.get("/jars").path("files")) {
      ids.add(file.path("id").asText());
    }
    return ids;
  }

  /**
   * Gives the cluster a jar.
   *
   * @param name file name that its id ends with
   * @return the jar's id
   * @throws UncheckedIOException if there is no such file
   */
  public String upload(Path jar, String name) throws FlinkRestException, InterruptedException {
    String file = http.upload("/jars/upload", jar, name).path("filename").asText();
    return file.substring(file.lastIndexOf('/') + 1);
  }

  /** Starts a job. */
  public void run(RunRequest job) throws FlinkRestException, InterruptedException {
    ObjectNode request = MAPPER.createObjectNode();
    request
        .put("entryClass", job.entryClass())
        .put("jobId", job.jobId())
        .put("parallelism", job.parallelism())
        .set("programArgsList", MAPPER.valueToTree(job.arguments()));
    if (job.savepoint() != null) {
      request
          .put("savepointPath", job.savepoint())
          .put("claimMode", "NO_CLAIM")
          .put("allowNonRestoredState", job.leftState() == RunRequest.LeftState.DROPPED);
    }
    if (!job.parameters().isEmpty()) {
      String parameters =
          String.join(
              ",",
              job.parameters().entrySet().stream()
                  .map(entry -> entry.getKey() + ":" + entry.getValue())
                  .sorted()
                  .toList());
      request.putObject("flinkConfiguration").put("pipeline.global-job-parameters", parameters);
    }
    http.post("/jars/" + job.jarId() + "/run", request);
  }

  /** Ends a job where it stands. */
  public void cancel(String job) throws FlinkRestException, InterruptedException {
    http.patch("/jobs/" + job + "?mode=cancel");
  }

  /**
   * Begins a savepoint of a job that goes on.
   *
   * @param triggerId what it is asked for by, 32 hex digits
   * @param folder where it goes; null for the cluster's own folder
   */
  public void triggerSavepoint(String job, String triggerId, String folder)
      throws FlinkRestException, InterruptedException {
    ObjectNode request = canonical(triggerId);
    request.put("cancel-job", false);
    if (folder != null) {
      request.put("target-directory", folder);
    }
    http.post("/jobs/" + job + "/savepoints", request);
  }

  /** Begins a savepoint that the job stops with; the parameters are the same. */
  public void triggerStop(String job, String triggerId, String folder)
      throws FlinkRestException, InterruptedException {
    ObjectNode request = canonical(triggerId);
    request.put("drain", false);
    if (folder != null) {
      request.put("targetDirectory", folder);
    }
    http.post("/jobs/" + job + "/stop", request);
  }

  /** Any state backend reads it, and any version of Flink. */
  private static ObjectNode canonical(String triggerId) {
    return MAPPER.createObjectNode().put("triggerId", triggerId).put("formatType", "CANONICAL");
  }

  /**
   * What became of a savepoint.
   *
   * @param done whether it is decided
   * @param location where it lies; null if it failed
   * @param failure why it failed, as a trace; null if it did not
   */
  public record Savepoint(boolean done, String location, String failure) {}

  /**
   * Asks for a savepoint that was triggered.
   *
   * @return empty if the cluster knows of none
   */
  public Optional<Savepoint> savepoint(String job, String triggerId)
      throws FlinkRestException, InterruptedException {
    JsonNode answer;
    try {
      answer = http.get("/jobs/" + job + "/savepoints/" + triggerId);
    } catch (FlinkRestException e) {
      if (e.status() == 404) {
        return Optional.empty();
      }
      throw e;
    }
    JsonNode operation = answer.path("operation");
    return Optional.of(
        new Savepoint(
            answer.at("/status/id").asText().equals("COMPLETED"),
            operation.path("location").textValue(),
            operation.at("/failure-cause/stack-trace").textValue()));
  }

  /** Begins to delete a savepoint. */
  public void disposeSavepoint(String location) throws FlinkRestException, InterruptedException {
    http.post("/savepoint-disposal", MAPPER.createObjectNode().put("savepoint-path", location));
  }
}
