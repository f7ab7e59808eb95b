package io.warmpath.lab.compose;

import io.warmpath.lab.cluster.ClassPath;
import io.warmpath.lab.cluster.JavaProcess;
import io.warmpath.lab.compose.ComposeFile.Service;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.runtime.jobmanager.JobManagerProcessSpec;
import org.apache.flink.runtime.jobmanager.JobManagerProcessUtils;
import org.apache.flink.runtime.util.config.memory.ProcessMemoryUtils;

/**
 * Starts what Flink's image starts: FLINK_PROPERTIES is the configuration, from which the JVM's
 * memory follows; the job lies in usrlib; the command is {@code standalone-job} or {@code
 * taskmanager}.
 */
final class FlinkImage {

  private static final String JOB_MANAGER =
      "org.apache.flink.container.entrypoint.StandaloneApplicationClusterEntryPoint";
  private static final String TASK_MANAGER =
      "org.apache.flink.runtime.taskexecutor.TaskManagerRunner";
  private static final int RPC_PORT = 6123;
  private static final int REST_PORT = 8081;
  private static final int METRICS_PORT = 9249;

  private FlinkImage() {}

  static JavaProcess start(Service service, OnOneHost here, List<String> options)
      throws IOException, URISyntaxException {
    Path home = here.folder(service).resolve("flink");
    Path conf = Files.createDirectories(home.resolve("conf"));
    Path job = Files.createDirectories(home.resolve("usrlib")).resolve("warmpath-jobs.jar");
    if (!Files.exists(job)) {
      Files.createSymbolicLink(job, ClassPath.jobsJar());
    }
    Files.writeString(conf.resolve("config.yaml"), configuration(service, here, home));
    Configuration configuration = GlobalConfiguration.loadConfiguration(conf.toString());

    List<String> arguments = new ArrayList<>();
    List<String> jvm = new ArrayList<>(options);
    if (service.command().get(0).equals("standalone-job")) {
      JobManagerProcessSpec memory = JobManagerProcessUtils.processSpecFromConfig(configuration);
      jvm.addAll(words(JobManagerProcessUtils.generateJvmParametersStr(memory, configuration)));
      arguments.add(JOB_MANAGER);
      arguments.addAll(words(JobManagerProcessUtils.generateDynamicConfigsStr(memory)));
    } else {
      TaskExecutorProcessSpec memory =
          TaskExecutorProcessUtils.processSpecFromConfig(configuration);
      jvm.addAll(words(ProcessMemoryUtils.generateJvmParametersStr(memory)));
      arguments.add(TASK_MANAGER);
      arguments.addAll(words(TaskExecutorProcessUtils.generateDynamicConfigsStr(memory)));
    }
    arguments.addAll(List.of("--configDir", conf.toString()));
    service.command().stream()
        .skip(1)
        .map(argument -> here.rewrite(service, argument))
        .forEach(arguments::add);
    return JavaProcess.start(
        service.name(),
        here.folder(service),
        jvm,
        // Beside which Flink looks for usrlib.
        Map.of("FLINK_LIB_DIR", home.resolve("lib").toString()),
        ClassPath.flink(),
        arguments);
  }

  private static List<String> words(String line) {
    return List.of(line.strip().split("\\s+"));
  }

  private static String configuration(Service service, OnOneHost here, Path home) {
    String properties = here.rewrite(service, service.environment().get("FLINK_PROPERTIES"));
    Map<String, Object> settings = new LinkedHashMap<>(Yaml.map(Yaml.parse(properties)));
    String jobManager = (String) settings.get("jobmanager.rpc.address");
    for (String key :
        List.of(
            "jobmanager.rpc.address",
            "jobmanager.bind-host",
            "taskmanager.host",
            "taskmanager.bind-host",
            "rest.address",
            "rest.bind-address")) {
      settings.put(key, OnOneHost.HOST);
    }
    settings.put("jobmanager.rpc.port", here.port(jobManager, RPC_PORT));
    settings.put("rest.port", here.port(jobManager, REST_PORT));
    settings.put("metrics.reporter.prom.port", here.port(service.name(), METRICS_PORT));
    settings.put("io.tmp.dirs", home.resolve("tmp").toString());
    return new org.yaml.snakeyaml.Yaml().dump(settings);
  }
}
