package io.warmpath.lab.compose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warmpath.balancer.BalancerConfig;
import io.warmpath.balancer.ModelConfig;
import io.warmpath.balancer.ReplicaAddress;
import io.warmpath.jobs.config.ShadowJobConfig;
import io.warmpath.jobs.config.StatsJobConfig;
import io.warmpath.jobs.config.WeightsJobConfig;
import io.warmpath.lab.compose.ComposeFile.Mount;
import io.warmpath.lab.compose.ComposeFile.Port;
import io.warmpath.lab.compose.ComposeFile.Service;
import io.warmpath.replica.cuda.TransformerModel;
import io.warmpath.replica.engine.EngineProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParseResult;

/**
 * docker-compose.yml against the rest of the project: each path, port, host, command, option and
 * class in it is there. What Docker itself does with it is not tested here.
 */
class ComposeFileTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern PINNED = Pattern.compile("[a-z/-]+:v?\\d+\\.\\d+\\.\\d+.*");

  private static ComposeFile file;
  private static Wiring wiring;

  @BeforeAll
  static void read() throws IOException {
    file = ComposeFile.read(ROOT.resolve("docker-compose.yml"));
    wiring = new Wiring(ROOT, file);
  }

  private static String pomProperty(String name) throws IOException {
    Matcher property =
        Pattern.compile("<" + Pattern.quote(name) + ">([^<]+)</")
            .matcher(Files.readString(ROOT.resolve("pom.xml")));
    assertTrue(property.find(), name);
    return property.group(1);
  }

  private static String dockerfile() throws IOException {
    return Files.readString(ROOT.resolve("deploy/docker/Dockerfile"));
  }

  @Test
  void hasAllPartsOfTheLoop() {
    assertEquals(
        Set.of(
            "kafka",
            "topics",
            "stats-jobmanager",
            "stats-taskmanager",
            "weights-jobmanager",
            "weights-taskmanager",
            "shadow-jobmanager",
            "shadow-taskmanager",
            "replica-0",
            "replica-1",
            "replica-2",
            "replica-3",
            "balancer",
            "console",
            "prometheus",
            "grafana"),
        file.always().keySet());
  }

  @Test
  void hasReplicasOnGpusBehindABalancerOfTheirOwnInAProfile() {
    Map<String, Service> profile = file.inProfile("gpu");
    assertEquals(Set.of("cuda-0", "cuda-1", "balancer-gpu"), profile.keySet());
    for (Service service : profile.values()) {
      if (service.name().startsWith("cuda-")) {
        assertEquals("cuda", Wiring.option(Wiring.parse(service), "--engine"));
        assertEquals(1, service.gpus().size(), service.name());
        assertEquals("compute,utility", service.environment().get("NVIDIA_DRIVER_CAPABILITIES"));
      }
    }
  }

  @Test
  void hasVllmBehindABalancerThatAsksItForTokensInAProfile() throws IOException {
    Map<String, Service> profile = file.inProfile("vllm");
    assertEquals(Set.of("vllm-0", "vllm-1", "balancer-vllm"), profile.keySet());
    assertTrue(
        Files.readString(wiring.configFile(profile.get("balancer-vllm")))
            .contains("tokenizer: engine"));
    for (Service service : profile.values()) {
      if (!Wiring.isVllm(service)) {
        continue;
      }
      assertEquals(List.of("vllm", "serve"), service.entrypoint());
      assertEquals(1, service.gpus().size(), service.name());
      assertTrue(service.command().contains("--enable-prompt-tokens-details"));
      JsonNode events = new ObjectMapper().readTree(Wiring.argument(service, "--kv-events-config"));
      assertTrue(events.path("enable_kv_cache_events").asBoolean());
      assertEquals("zmq", events.path("publisher").asText());
      assertEquals(Set.of(8000, 5557, 5558), wiring.listensOn(service));
    }
  }

  @Test
  void givesGpusToNobodyElse() {
    file.always().values().forEach(service -> assertEquals(List.of(), service.gpus()));
  }

  @Test
  void pinsEveryImageToTheVersionThatTheCodeIsBuiltWith() throws IOException {
    for (Service service : file.services().values()) {
      assertTrue(PINNED.matcher(service.image()).matches(), service.image());
    }
    Matcher images = Pattern.compile("(?m)^ARG [A-Z]+_IMAGE=(.*)$").matcher(dockerfile());
    int found = 0;
    while (images.find()) {
      assertTrue(PINNED.matcher(images.group(1)).matches(), images.group(1));
      found++;
    }
    assertEquals(3, found);
    assertTrue(dockerfile().contains("=flink:" + pomProperty("flink.version") + "-java17"));
    assertEquals(
        "apache/kafka:" + pomProperty("kafka.version"), file.services().get("kafka").image());
  }

  @Test
  void buildsFromADockerfileThatEndsWithoutRoot() throws Exception {
    for (Service service : file.services().values()) {
      if (service.build().isEmpty()) {
        continue;
      }
      assertEquals(".", service.build().get("context"));
      assertTrue(Files.isRegularFile(ROOT.resolve((String) service.build().get("dockerfile"))));
      String stage = " AS " + service.build().get("target") + "\n";
      assertTrue(dockerfile().contains(stage), stage);
      String instructions = dockerfile().split(stage)[1].split("\nFROM ")[0];
      assertTrue(Pattern.compile("(?m)^USER (?!root|0)").matcher(instructions).find(), stage);
    }
    Matcher main = Pattern.compile("\"(io\\.warmpath[\\w.]+)\"]").matcher(dockerfile());
    assertTrue(main.find());
    assertNotNull(Class.forName(main.group(1)).getMethod("main", String[].class));
  }

  @Test
  void sendsTheModulesAndNothingElseToTheBuild() throws IOException {
    String sent = Files.readString(ROOT.resolve("deploy/docker/Dockerfile.dockerignore"));
    Matcher modules =
        Pattern.compile("<module>(.*)</module>").matcher(Files.readString(ROOT.resolve("pom.xml")));
    while (modules.find()) {
      assertTrue(sent.contains("\n!" + modules.group(1) + "\n"), modules.group(1));
    }
    for (String line : sent.split("\n")) {
      if (line.startsWith("!")) {
        assertTrue(Files.exists(ROOT.resolve(line.substring(1))), line);
      }
    }
  }

  @Test
  void mountsOnlyWhatExistsAndDeclaresItsVolumes() {
    Set<String> used = new TreeSet<>();
    for (Service service : file.services().values()) {
      for (Mount mount : service.mounts()) {
        if (mount.isBind()) {
          assertTrue(Files.exists(ROOT.resolve(mount.source())), mount.source());
          assertTrue(mount.readOnly(), mount.source() + " could be written to");
        } else {
          used.add(mount.source());
        }
      }
    }
    assertEquals(new TreeSet<>(file.volumes()), used);
  }

  @Test
  void publishesPortsThatAreListenedOnOnceAndOnLoopback() {
    Set<Integer> taken = new HashSet<>();
    for (Service service : file.services().values()) {
      for (Port port : service.ports()) {
        assertEquals("127.0.0.1", port.address(), service.name());
        assertTrue(taken.add(port.host()), port + " of " + service.name() + " is taken");
        assertTrue(
            wiring.listensOn(service).contains(port.container()), service.name() + ": " + port);
      }
    }
  }

  @Test
  void asksOnlyServicesAndPortsThatAreThere() throws IOException {
    Map<String, List<String>> addresses = wiring.addresses();
    assertTrue(addresses.size() > 10, addresses.toString());
    for (Map.Entry<String, List<String>> address : addresses.entrySet()) {
      String host = address.getKey().split(":")[0];
      int port = Integer.parseInt(address.getKey().split(":")[1]);
      for (String from : address.getValue()) {
        Service asked = file.services().get(host.equals("localhost") ? from : host);
        assertNotNull(asked, from + " asks for " + address.getKey());
        assertTrue(wiring.listensOn(asked).contains(port), from + " asks for " + address.getKey());
      }
    }
  }

  @Test
  void givesTheCommandLineWhatItUnderstands() {
    int commands = 0;
    for (Service service : file.services().values()) {
      if (!Wiring.isWarmpath(service)) {
        continue;
      }
      ParseResult command = Wiring.parse(service);
      commands++;
      if (command.commandSpec().optionsMap().containsKey("--host")) {
        assertEquals("0.0.0.0", Wiring.option(command, "--host"), service.name());
      }
      if (command.commandSpec().name().equals("replica")) {
        assertEquals(service.name(), Wiring.option(command, "--name"));
        assertTrue(blockTokens(command) > 0);
      }
    }
    assertEquals(11, commands);
  }

  private static String option(Service service, String name) {
    return Wiring.isVllm(service)
        ? Wiring.argument(service, name)
        : Wiring.option(Wiring.parse(service), name);
  }

  private static int blockTokens(ParseResult replica) {
    return Wiring.option(replica, "--engine").equals("cuda")
        ? TransformerModel.load(Wiring.option(replica, "--transformer")).blockTokens()
        : EngineProfile.load(Wiring.option(replica, "--profile")).blockTokens();
  }

  @Test
  void givesEachBalancerTheReplicasThatAreThere() {
    Set<String> named = new TreeSet<>();
    Set<String> balancers = new TreeSet<>();
    for (Service balancer : wiring.balancers()) {
      BalancerConfig config = wiring.balancerConfig(balancer);
      assertEquals("0.0.0.0", config.host());
      assertEquals("0.0.0.0", config.adminHost());
      assertTrue(balancers.add(config.name()), config.name() + " is another balancer's name");
      ModelConfig model = config.models().get(0);
      for (ReplicaAddress replica : model.replicas()) {
        assertTrue(named.add(replica.name()), replica.name() + " is behind two balancers");
        assertEquals(replica.name(), replica.url().getHost());
        Service service = file.services().get(replica.name());
        assertEquals(balancer.profiles(), service.profiles());
        assertEquals("service_healthy", balancer.dependsOn().get(replica.name()));
        assertEquals(option(service, "--port"), "" + replica.url().getPort());
        assertEquals(
            model.name(),
            option(service, Wiring.isVllm(service) ? "--served-model-name" : "--model"));
        assertEquals(
            model.blockTokens(),
            Wiring.isVllm(service)
                ? Integer.parseInt(option(service, "--block-size"))
                : blockTokens(Wiring.parse(service)));
      }
    }
    Set<String> replicas = new TreeSet<>(file.services().keySet());
    replicas.removeIf(name -> !name.matches("(replica|cuda|vllm)-\\d"));
    assertEquals(replicas, named);
  }

  @ParameterizedTest
  @ValueSource(strings = {"stats", "weights", "shadow"})
  void startsJobsThatExistWithOptionsThatTheyUnderstand(String job) throws Exception {
    List<String> command = file.services().get(job + "-jobmanager").command();
    assertEquals(List.of("standalone-job", "--job-classname"), command.subList(0, 2));
    assertNotNull(Class.forName(command.get(2)).getMethod("main", String[].class));
    String[] options = command.subList(3, command.size()).toArray(String[]::new);
    switch (job) {
      case "stats" -> assertNotNull(StatsJobConfig.parse(options));
      case "weights" -> assertNotNull(WeightsJobConfig.parse(options));
      default ->
          assertEquals(
              EngineProfile.load("founding").kvBlocks(),
              ShadowJobConfig.parse(options).capacityBlocks());
    }
    assertEquals(List.of("taskmanager"), file.services().get(job + "-taskmanager").command());
    for (String part : List.of("jobmanager", "taskmanager")) {
      Service service = file.services().get(job + "-" + part);
      assertTrue(
          service
              .environment()
              .get("FLINK_PROPERTIES")
              .contains("jobmanager.rpc.address: " + job + "-jobmanager\n"),
          service.name());
    }
  }

  @Test
  void waitsForServicesThatCanBeWaitedFor() {
    for (Service service : file.services().values()) {
      service
          .dependsOn()
          .forEach(
              (name, condition) -> {
                Service before = file.services().get(name);
                assertNotNull(before, service.name() + " waits for " + name);
                switch (condition) {
                  case "service_healthy" ->
                      assertFalse(before.healthTest().isEmpty(), name + " has no health check");
                  case "service_completed_successfully" -> assertEquals("topics", name);
                  case "service_started" -> assertTrue(before.dependsOn().size() <= 5);
                  default -> throw new AssertionError(condition);
                }
              });
      if (!service.name().equals("topics")) {
        assertFalse(service.healthTest().isEmpty(), service.name() + " has no health check");
        assertEquals("CMD", service.healthTest().get(0));
      }
    }
  }

  @Test
  void givesPrometheusItsFileAndTheRulesThatItNames() throws IOException {
    Service prometheus = file.services().get("prometheus");
    String option = "--config.file=";
    String config =
        prometheus.command().stream()
            .filter(argument -> argument.startsWith(option))
            .findFirst()
            .orElseThrow()
            .substring(option.length());
    assertEquals(ROOT.resolve("dashboards/prometheus.yml"), wiring.hostPath(prometheus, config));
    for (String rules :
        Yaml.texts(Yaml.read(wiring.hostPath(prometheus, config)).get("rule_files"))) {
      Path folder = ROOT.resolve("dashboards").resolve(rules).getParent();
      assertTrue(Files.isDirectory(folder), rules + " beside " + config);
    }
  }

  @Test
  void provisionsTheDashboardThatIsMounted() throws IOException {
    Service grafana = file.services().get("grafana");
    Path provider = wiring.hostPath(grafana, "/etc/grafana/provisioning/dashboards/warmpath.yml");
    Map<String, Object> options =
        Yaml.map(Yaml.map(Yaml.list(Yaml.read(provider).get("providers")).get(0)).get("options"));
    String home = grafana.environment().get("GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH");
    assertTrue(home.startsWith(options.get("path") + "/"), home);
    assertTrue(Files.isRegularFile(wiring.hostPath(grafana, home)));
  }
}
