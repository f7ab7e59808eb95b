package io.warmpath.lab.cluster;

import io.warmpath.jobs.RoutingStatsJob;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Parts of this test's class path that other JVMs are started from. */
public final class ClassPath {

  /** What a Flink distribution has in its lib folder, by the beginning of the files' names. */
  private static final List<String> FLINK =
      List.of(
          "flink-",
          "commons-",
          "log4j-",
          "slf4j-",
          "kryo-",
          "minlog-",
          "objenesis-",
          "reflectasm-",
          "snakeyaml-engine-",
          "javassist-",
          "lz4-",
          "snappy-",
          "jsr305-");

  /** What a job has to bring along, and what only tests need. */
  private static final List<String> NOT_FLINK =
      List.of("flink-connector-kafka", "flink-connector-base", "flink-kubernetes");

  private ClassPath() {}

  /** All of it. */
  public static String all() {
    return System.getProperty("java.class.path");
  }

  /** Flink without connectors, as on a cluster that knows nothing of our jobs. */
  public static String flink() {
    return Arrays.stream(all().split(File.pathSeparator))
        .filter(ClassPath::isFlink)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static boolean isFlink(String entry) {
    String name = Path.of(entry).getFileName().toString();
    return FLINK.stream().anyMatch(name::startsWith)
        && NOT_FLINK.stream().noneMatch(name::startsWith);
  }

  /** The jar of the jobs and all that they need, as it is deployed; the build has made it. */
  public static Path jobsJar() throws IOException, URISyntaxException {
    Path classes =
        Path.of(RoutingStatsJob.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> built = Files.list(classes.getParent())) {
      return built
          .filter(file -> file.getFileName().toString().endsWith("-all.jar"))
          .findAny()
          .orElseThrow(
              () -> new IllegalStateException("no jar of the jobs: run mvn package before"));
    }
  }
}
