package io.warmpath.lab.cluster;

import io.warmpath.lab.embedded.KafkaNode;
import java.nio.file.Path;

/** Configuration files of a small cluster whose losses are to be noticed soon. */
final class FlinkSettings {

  private FlinkSettings() {}

  /** Flink's config.yaml. Memory is given part by part, as no script works it out. */
  static String yaml(Path folder, int restPort, int zooKeeperPort) {
    return """
        jobmanager.rpc.address: %1$s
        jobmanager.bind-host: %1$s
        taskmanager.bind-host: %1$s
        taskmanager.host: %1$s
        rest.address: %1$s
        rest.bind-address: %1$s
        rest.port: %2$d
        web.upload.dir: %4$s/upload
        high-availability.type: zookeeper
        high-availability.zookeeper.quorum: %1$s:%3$d
        high-availability.zookeeper.client.session-timeout: 4s
        high-availability.storageDir: file://%4$s/ha
        execution.checkpointing.dir: file://%4$s/checkpoints
        execution.checkpointing.savepoint-dir: file://%4$s/savepoints
        execution.checkpointing.externalized-checkpoint-retention: RETAIN_ON_CANCELLATION
        io.tmp.dirs: %4$s/tmp
        heartbeat.interval: 1s
        heartbeat.timeout: 5s
        restart-strategy.type: fixed-delay
        restart-strategy.fixed-delay.attempts: 1000
        restart-strategy.fixed-delay.delay: 500ms
        taskmanager.numberOfTaskSlots: 1
        taskmanager.cpu.cores: 1
        taskmanager.memory.framework.heap.size: 128m
        taskmanager.memory.framework.off-heap.size: 128m
        taskmanager.memory.task.heap.size: 384m
        taskmanager.memory.task.off-heap.size: 0m
        taskmanager.memory.managed.size: 32m
        taskmanager.memory.network.min: 64m
        taskmanager.memory.network.max: 64m
        taskmanager.memory.jvm-metaspace.size: 256m
        taskmanager.memory.jvm-overhead.min: 192m
        taskmanager.memory.jvm-overhead.max: 192m
        """
        .formatted(KafkaNode.HOST, restPort, zooKeeperPort, folder);
  }

  /** Of a ZooKeeper that stands alone. */
  static String zooKeeper(Path folder, int port) {
    return """
        tickTime=1000
        dataDir=%s/zookeeper
        clientPort=%d
        clientPortAddress=%s
        admin.enableServer=false
        """
        .formatted(folder, port, KafkaNode.HOST);
  }
}
