package io.warmpath.lab.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The shape of the modules: who may know whom, and what stays free of I/O and clocks. */
class ArchitectureTest {

  private static final String ROOT = "io.warmpath.";

  private static final JavaClasses WARMPATH =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.warmpath");

  /** Methods that read a clock of the machine. */
  private static final Set<String> CLOCKS =
      Set.of(
          "java.lang.System.currentTimeMillis",
          "java.lang.System.nanoTime",
          "java.time.Instant.now",
          "java.time.LocalDateTime.now",
          "java.time.LocalDate.now",
          "java.time.ZonedDateTime.now",
          "java.time.OffsetDateTime.now",
          "java.time.Clock.systemUTC",
          "java.time.Clock.systemDefaultZone",
          "java.time.Clock.system",
          "java.time.Clock.tickMillis");

  @ParameterizedTest
  @CsvSource({
    "schemas, ''",
    "routing, schemas",
    "jobs, schemas routing",
    "balancer, schemas routing",
    "replica, schemas routing",
    "bridge, schemas routing",
    "console, schemas"
  })
  void arrowsPointOnlyDownward(String module, String below) {
    String[] allowed =
        Stream.concat(
                Stream.of(module), Stream.of(below.split(" ")).filter(name -> !name.isEmpty()))
            .map(name -> ROOT + name + "..")
            .toArray(String[]::new);
    noClasses()
        .that(resideInAPackage(ROOT + module + ".."))
        .should()
        .dependOnClassesThat(
            resideInAPackage(ROOT + ".").and(DescribedPredicate.not(resideInAnyPackage(allowed))))
        .allowEmptyShould(true)
        .check(WARMPATH);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"schemas", "routing", "jobs", "balancer", "replica", "bridge", "console", "lab"})
  void theRulesSeeEveryModule(String module) {
    assertTrue(WARMPATH.stream().anyMatch(resideInAPackage(ROOT + module + "..")), module);
  }

  @Test
  void schemasKnowOnlyJackson() {
    classes()
        .that(resideInAPackage(ROOT + "schemas.."))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                ROOT + "schemas..",
                "java..",
                "com.fasterxml.jackson..",
                // What Jackson reads YAML with: its failures say what is wrong, without the text.
                "org.yaml.snakeyaml.error",
                ""))
        .check(WARMPATH);
  }

  @Test
  void routingKnowsOnlyItsHashAndItsSketch() {
    classes()
        .that(resideInAPackage(ROOT + "routing.."))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                ROOT + "routing..",
                ROOT + "schemas..",
                "java.lang..",
                "java.util..",
                "java.math..",
                "java.nio",
                "java.nio.charset..",
                "java.io",
                "java.time..",
                "com.dynatrace.hash4j..",
                "com.datadoghq.sketch..",
                ""))
        .check(WARMPATH);
  }

  @Test
  void routingDoesNoInputOrOutput() {
    noClasses()
        .that(resideInAPackage(ROOT + "routing.."))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("java.net..", "java.nio.file..", "java.nio.channels..")
                .or(describe("files", ArchitectureTest::isFile)))
        .check(WARMPATH);
  }

  @ParameterizedTest
  @ValueSource(strings = {"routing", "replica.engine"})
  void thePureCoresReadNoClock(String core) {
    noClasses()
        .that(resideInAPackage(ROOT + core + ".."))
        .should()
        .accessTargetWhere(describe("a clock is read", ArchitectureTest::readsClock))
        .allowEmptyShould(true)
        .check(WARMPATH);
  }

  @ParameterizedTest
  @ValueSource(strings = {"routing", "replica.engine"})
  void thePureCoresStartNoThread(String core) {
    noClasses()
        .that(resideInAPackage(ROOT + core + ".."))
        .should()
        .dependOnClassesThat(describe("threads and executors", ArchitectureTest::isThreading))
        .allowEmptyShould(true)
        .check(WARMPATH);
  }

  @Test
  void namesSayWhatAClassIs() {
    noClasses()
        .should()
        .haveNameMatching(".*(Utils?|Helpers?|Manager|Impl)(\\$.*)?")
        .check(WARMPATH);
  }

  private static boolean isFile(JavaClass type) {
    return type.getPackageName().equals("java.io")
        && type.getSimpleName().matches("File.*|RandomAccessFile|Console");
  }

  private static boolean readsClock(JavaAccess<?> access) {
    return CLOCKS.contains(access.getTargetOwner().getName() + "." + access.getName());
  }

  private static boolean isThreading(JavaClass type) {
    return type.isAssignableTo(Thread.class)
        || type.isAssignableTo(java.util.concurrent.Executor.class)
        || type.getName().equals("java.util.concurrent.Executors")
        || type.getName().equals("java.util.Timer");
  }
}
