package io.warmpath.lab.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {

  private static final DeployState STATE =
      new DeployState(
          DeployState.V,
          DeployedJob.STATS,
          "http://flink:8081",
          Step.CUT,
          new DeployState.Version("a1", "old.jar", 2, List.of("--bootstrap-servers", "k:1")),
          new DeployState.Version(null, "new.jar", 2, List.of("--bootstrap-servers", "k:1")),
          "b2",
          "file:/s/1",
          null,
          "c3",
          null,
          null);

  @TempDir private Path folder;

  @Test
  void whatIsWrittenIsReadUntilItIsDeleted() throws IOException {
    Journal journal = new Journal(folder.resolve("below/journal.json"));
    assertEquals(Optional.empty(), journal.read());
    journal.write(STATE.at(Step.CHECK));
    journal.write(STATE);
    assertEquals(Optional.of(STATE), journal.read());
    try (Stream<Path> files = Files.list(folder.resolve("below"))) {
      assertEquals(1, files.count(), "something is left beside it");
    }
    journal.delete();
    assertEquals(Optional.empty(), journal.read());
  }

  @Test
  void onlyItsOwnerReadsIt() throws IOException {
    Journal journal = new Journal(folder.resolve("journal.json"));
    journal.write(STATE);
    assertEquals(2, Files.getPosixFilePermissions(folder.resolve("journal.json")).size());
  }

  @Test
  void whatIsNoneIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("journal.json"), "{\"v\":1,\"step\":\"dance\"}");
    IllegalStateException thrown =
        assertThrows(IllegalStateException.class, () -> new Journal(file).read());
    assertTrue(thrown.getMessage().contains("journal.json"), thrown.getMessage());
  }

  @Test
  void eachJobOnEachClusterHasItsOwn() {
    Path one = Journal.fileFor(DeployedJob.STATS, URI.create("http://flink:8081/"));
    assertEquals(one, Journal.fileFor(DeployedJob.STATS, URI.create("http://flink:8081")));
    assertTrue(one.endsWith(".warmpath/deploy/stats@flink-8081.json"), one.toString());
  }

  @Test
  void theCommandThatGoesOnNamesAFileThatIsNotTheUsualOne() {
    assertEquals(
        "warmpath deploy stats --target http://flink:8081 --recover",
        Recovery.command(
            STATE, new Journal(Journal.fileFor(DeployedJob.STATS, URI.create(STATE.target())))));
    assertEquals(
        "warmpath deploy stats --target http://flink:8081 --journal j.json --recover",
        Recovery.command(STATE, new Journal(Path.of("j.json"))));
  }
}
