package io.warmpath.schemas.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.fixture.GoldenFiles;
import io.warmpath.schemas.fixture.GoldenRecords;
import io.warmpath.schemas.fixture.Kinds;
import io.warmpath.schemas.fixture.Sample;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The wire format, byte by byte. A golden file changes only together with docs/contracts.md. */
class GoldenFileTest {

  static Set<String> files() {
    return GoldenRecords.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("files")
  void encodesToTheGoldenBytes(String file) {
    byte[] encoded = GoldenRecords.all().get(file).encoded();
    assertEquals(GoldenFiles.read(file), new String(encoded, StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @MethodSource("files")
  void decodesFromTheGoldenBytes(String file) {
    assertDecodes(GoldenRecords.all().get(file), file);
  }

  private static <T extends WarmpathRecord> void assertDecodes(Sample<T> sample, String file) {
    byte[] bytes = GoldenFiles.read(file).getBytes(StandardCharsets.UTF_8);
    assertEquals(sample.record(), sample.codec().decode(bytes));
  }

  @Test
  void everyFileHasItsRecord() {
    assertEquals(files(), GoldenFiles.names());
  }

  @Test
  void everyKindHasAFile() {
    Set<String> kinds =
        files().stream()
            .map(file -> file.substring(0, file.indexOf('.')))
            .collect(Collectors.toSet());
    List<String> schemas =
        Kinds.ALL.stream().map(codec -> codec.schema().replace("/1", "")).toList();
    assertEquals(Set.copyOf(schemas), kinds);
  }
}
