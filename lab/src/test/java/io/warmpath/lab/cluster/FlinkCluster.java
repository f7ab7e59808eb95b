package io.warmpath.lab.cluster;

import io.warmpath.lab.Await;
import io.warmpath.lab.embedded.KafkaNode;
import io.warmpath.lab.flink.FlinkRest;
import io.warmpath.lab.flink.RunRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A standalone Flink cluster as it is deployed on machines: a ZooKeeper, a job manager and task
 * managers of one slot, each in a JVM of its own that has nothing but Flink on its class path. What
 * is killed can be started again; nobody but ZooKeeper and the folder remembers anything.
 */
final class FlinkCluster implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int HEAP_MIB = 512;

  /** Flink brings one along. */
  private static final String ZOOKEEPER =
      "org.apache.flink.shaded.zookeeper3.org.apache.zookeeper.server.ZooKeeperServerMain";

  private final Path folder;
  private final Path conf;
  private final FlinkRest rest;
  private final JavaProcess zooKeeper;
  private final List<JavaProcess> taskManagers = new ArrayList<>();
  private JavaProcess jobManager;
  private int started;

  private FlinkCluster(Path folder, Path conf, FlinkRest rest, JavaProcess zooKeeper) {
    this.folder = folder;
    this.conf = conf;
    this.rest = rest;
    this.zooKeeper = zooKeeper;
  }

  /** Starts a cluster and waits until all its slots are there. */
  static FlinkCluster start(Path folder, int taskManagers) throws IOException {
    int zooKeeperPort = KafkaNode.freePort();
    int restPort = KafkaNode.freePort();
    Path conf = Files.createDirectories(folder.resolve("conf"));
    Files.writeString(
        conf.resolve("config.yaml"), FlinkSettings.yaml(folder, restPort, zooKeeperPort));
    Path zooKeeperConf = folder.resolve("zoo.cfg");
    Files.writeString(zooKeeperConf, FlinkSettings.zooKeeper(folder, zooKeeperPort));
    JavaProcess zooKeeper =
        JavaProcess.start(
            "zookeeper",
            folder,
            HEAP_MIB,
            ClassPath.flink(),
            List.of(ZOOKEEPER, zooKeeperConf.toString()));
    FlinkRest rest = new FlinkRest(URI.create("http://" + KafkaNode.HOST + ":" + restPort));
    FlinkCluster cluster = new FlinkCluster(folder, conf, rest, zooKeeper);
    cluster.startJobManager();
    for (int i = 0; i < taskManagers; i++) {
      cluster.startTaskManager();
    }
    Await.until("all slots are there", PATIENCE, () -> cluster.hasSlots(taskManagers));
    return cluster;
  }

  private boolean hasSlots(int slots) throws Exception {
    zooKeeper.requireAlive();
    jobManager.requireAlive();
    taskManagers.forEach(JavaProcess::requireAlive);
    return rest.slots() >= slots;
  }

  /** Where jobs are given to it. */
  FlinkRest rest() {
    return rest;
  }

  /**
   * Uploads a jar and runs a job of it.
   *
   * @param savepoint where it goes on from; null for an empty state
   * @return the job's id
   */
  String run(Path jar, String mainClass, int parallelism, String savepoint, List<String> arguments)
      throws IOException, InterruptedException {
    String job = newId();
    rest.run(
        new RunRequest(
            rest.upload(jar, jar.getFileName().toString()),
            job,
            mainClass,
            parallelism,
            arguments,
            savepoint,
            RunRequest.LeftState.REFUSED,
            Map.of()));
    return job;
  }

  /** Stops a job with a savepoint, and returns where that lies. */
  String stop(String job, Duration patience) throws IOException, InterruptedException {
    String trigger = newId();
    rest.triggerStop(job, trigger, null);
    Await.until(
        "savepoint is complete", patience, () -> rest.savepoint(job, trigger).orElseThrow().done());
    FlinkRest.Savepoint savepoint = rest.savepoint(job, trigger).orElseThrow();
    if (savepoint.location() == null) {
      throw new IllegalStateException("no savepoint: " + savepoint.failure());
    }
    return savepoint.location();
  }

  private static String newId() {
    return UUID.randomUUID().toString().replace("-", "");
  }

  void startJobManager() {
    jobManager =
        start(
            "jobmanager",
            "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
            List.of("--host", KafkaNode.HOST));
  }

  void killJobManager() {
    jobManager.kill();
  }

  void startTaskManager() {
    started++;
    taskManagers.add(
        start(
            "taskmanager-" + started,
            "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
            List.of()));
  }

  /** Kills the one that was started first. */
  void killTaskManager() {
    taskManagers.remove(0).kill();
  }

  private JavaProcess start(String name, String main, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(main, "--configDir", conf.toString()));
    command.addAll(arguments);
    return JavaProcess.start(name, folder, HEAP_MIB, ClassPath.flink(), command);
  }

  @Override
  public void close() {
    taskManagers.forEach(JavaProcess::close);
    jobManager.close();
    zooKeeper.close();
  }
}
