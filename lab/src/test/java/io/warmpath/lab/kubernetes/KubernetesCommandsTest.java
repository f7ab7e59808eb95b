package io.warmpath.lab.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.warmpath.balancer.BalancerConfig;
import io.warmpath.balancer.ConfigFile;
import io.warmpath.jobs.config.ShadowJobConfig;
import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.config.WeightsJobConfig;
import io.warmpath.lab.SharedData;
import io.warmpath.lab.cli.WarmpathCommand;
import io.warmpath.lab.compose.Yaml;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** What is started on Kubernetes understands what it is given. */
class KubernetesCommandsTest {

  private static final Path ROOT = SharedData.projectRoot();
  private static final Pattern VARIABLE = Pattern.compile("\\$\\((\\w+)\\)");
  private static final String TOKEN_FOLDER = "/etc/warmpath-secrets";

  @TempDir private Path folder;

  private static Overlay overlay(String name) throws IOException {
    return Overlay.build(ROOT.resolve("deploy/kubernetes/overlays").resolve(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev", "production", "last-state"})
  void givesTheCommandLineWhatItUnderstands(String name) throws IOException {
    Set<String> commands = new TreeSet<>();
    for (Pods pods : overlay(name).pods()) {
      for (JsonNode container : pods.spec().path("containers")) {
        if (!container.path("image").asText().startsWith("warmpath/warmpath:")) {
          continue;
        }
        List<String> arguments = new ArrayList<>();
        for (JsonNode argument : container.path("args")) {
          Matcher variable = VARIABLE.matcher(argument.asText());
          while (variable.find()) {
            assertTrue(
                container.path("env").findValuesAsText("name").contains(variable.group(1)),
                pods.owner() + ": " + argument);
          }
          arguments.add(argument.asText());
        }
        ParseResult command =
            new CommandLine(WarmpathCommand.class)
                .parseArgs(arguments.toArray(String[]::new))
                .subcommand();
        commands.add(command.commandSpec().name());
        if (command.commandSpec().optionsMap().containsKey("--port")) {
          assertEquals("0.0.0.0", option(command, "--host"));
          int port = Integer.parseInt(option(command, "--port"));
          assertNotNull(pods.port(new ObjectMapper().valueToTree(port)), pods.owner());
        }
      }
    }
    assertTrue(commands.containsAll(Set.of("balancer", "console", "topics")), "" + commands);
  }

  private static String option(ParseResult command, String name) {
    return String.valueOf(command.commandSpec().findOption(name).<Object>getValue());
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev", "production", "last-state"})
  void givesTheBalancerReplicasAndPortsThatAreThere(String name) throws IOException {
    Overlay overlay = overlay(name);
    Pods balancer = Pods.of(overlay.get("Deployment", "balancer"));
    String yaml = overlay.get("ConfigMap", "balancer-config").at("/data/balancer.yaml").asText();
    String token = TOKEN_FOLDER + "/admin.token";
    assertTrue(yaml.contains(token));
    assertTrue(
        balancer
            .spec()
            .at("/containers/0/volumeMounts")
            .findValuesAsText("mountPath")
            .contains(TOKEN_FOLDER));
    Path secret = Files.writeString(folder.resolve("token"), "0123456789abcdef");
    BalancerConfig config =
        ConfigFile.load(
            Files.writeString(
                folder.resolve("balancer.yaml"), yaml.replace(token, secret.toString())));
    ObjectMapper mapper = new ObjectMapper();
    for (int port : List.of(config.port(), config.adminPort())) {
      assertNotNull(balancer.port(mapper.valueToTree(port)), "port " + port);
    }
    JsonNode dns = mapper.valueToTree(Yaml.parse(yaml)).at("/models/0/replicas");
    ObjectNode replicas = overlay.get("Service", dns.path("dns").asText());
    assertEquals("None", replicas.at("/spec/clusterIP").asText());
    assertEquals(dns.path("port"), replicas.at("/spec/ports/0/port"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev", "production", "last-state"})
  void startsJobsThatExistWithOptionsThatTheyUnderstand(String name) throws Exception {
    List<ObjectNode> jobs = overlay(name).ofKind("FlinkDeployment");
    assertEquals(3, jobs.size());
    Set<String> folders = new HashSet<>();
    for (ObjectNode object : jobs) {
      JsonNode job = object.at("/spec/job");
      String[] options = new ObjectMapper().convertValue(job.path("args"), String[].class);
      String main = job.path("entryClass").asText();
      assertNotNull(Class.forName(main).getMethod("main", String[].class));
      assertNotNull(
          switch (object.at("/metadata/name").asText()) {
            case "routing-stats" -> StatsJobConfig.parse(options);
            case "routing-weights" -> WeightsJobConfig.parse(options);
            default -> ShadowJobConfig.parse(options);
          });
      assertTrue(
          Files.readString(ROOT.resolve("deploy/docker/Dockerfile"))
              .contains(job.path("jarURI").asText().replace("local://", " ") + "\n"));
      assertEquals(
          name.equals("last-state") ? "last-state" : "savepoint", job.path("upgradeMode").asText());
      JsonNode flink = object.at("/spec/flinkConfiguration");
      for (String key :
          List.of(
              "execution.checkpointing.dir",
              "execution.checkpointing.savepoint-dir",
              "high-availability.storageDir")) {
        assertTrue(folders.add(flink.path(key).asText()), key + " is another job's too");
      }
      assertTrue(
          job.path("parallelism").asInt() <= flink.path("taskmanager.numberOfTaskSlots").asInt(),
          "one task manager holds the job");
      assertEquals(
          "v" + flinkVersion().replaceFirst("\\.\\d+$", "").replace('.', '_'),
          object.at("/spec/flinkVersion").asText());
      assertKnown(flink);
    }
  }

  private static String flinkVersion() throws IOException {
    Matcher version =
        Pattern.compile("<flink.version>([^<]+)</")
            .matcher(Files.readString(ROOT.resolve("pom.xml")));
    assertTrue(version.find());
    return version.group(1);
  }

  private static void assertKnown(JsonNode flink) throws IllegalAccessException {
    Set<String> known = new HashSet<>();
    for (Class<?> options :
        List.of(
            CheckpointingOptions.class,
            CoreOptions.class,
            HighAvailabilityOptions.class,
            RestartStrategyOptions.class,
            TaskManagerOptions.class)) {
      for (Field field : options.getFields()) {
        if (Modifier.isStatic(field.getModifiers())
            && field.get(null) instanceof ConfigOption<?> option) {
          known.add(option.key());
        }
      }
    }
    for (Map.Entry<String, JsonNode> entry : flink.properties()) {
      String key = entry.getKey();
      assertTrue(
          known.contains(key)
              || key.startsWith("kubernetes.operator.")
              || key.matches("metrics\\.reporter\\.prom\\.(factory\\.class|port)"),
          key + " is no option of Flink");
      assertTrue(entry.getValue().isTextual(), key + " is no text");
    }
  }
}
