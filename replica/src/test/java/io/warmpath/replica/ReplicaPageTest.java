package io.warmpath.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.replica.fault.FaultOrder;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** docs/replica.md names every profile with its figures, and every fault. */
class ReplicaPageTest {

  private final List<String> page = Files.readAllLines(Path.of("../docs/replica.md"));

  ReplicaPageTest() throws IOException {}

  @Test
  void everyFaultHasItsRow() {
    List<String> faults =
        Arrays.stream(FaultOrder.class.getRecordComponents())
            .map(RecordComponent::getName)
            .map(new SnakeCaseStrategy()::translate)
            .toList();
    assertEquals(faults, firstCells("| name | what it does |"));
  }

  @Test
  void everyProfileHasItsRowWithItsFigures() {
    List<String> names = firstCells("| profile | b0, µs ");
    assertEquals(EngineProfile.builtIn(), names.stream().sorted().toList());
    for (String name : names) {
      EngineProfile profile = EngineProfile.load(name);
      String row = page.stream().filter(l -> l.startsWith("| `" + name + "`")).findFirst().get();
      String[] cells = row.split(" \\| ");
      assertEquals(profile.b0Us(), number(cells[1]), 0.05, name);
      assertEquals(profile.b1UsPerPrefillToken(), number(cells[2]), 0.005, name);
      assertEquals(profile.b2UsPerDecodeSequence(), number(cells[3]), 0.005, name);
    }
  }

  private static double number(String cell) {
    return Double.parseDouble(cell.replace(",", ""));
  }

  /** Names in the first column of the table that has this head. */
  private List<String> firstCells(String head) {
    return page.stream()
        .dropWhile(line -> !line.startsWith(head))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> line.substring(line.indexOf('`') + 1, line.indexOf('`', 3)))
        .toList();
  }
}
