package io.warmpath.schemas.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.schemas.fixture.GoldenRecords;
import io.warmpath.schemas.fixture.Mutations;
import io.warmpath.schemas.fixture.Mutations.Mutation;
import io.warmpath.schemas.fixture.Sample;
import io.warmpath.schemas.fixture.SchemaFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Schema file and codec accept and refuse the same records. */
class SchemaAgreementTest {

  static Set<String> goldenFiles() {
    return GoldenRecords.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("goldenFiles")
  void agreeOnEveryRecordWithOneFieldChanged(String file) {
    Sample<?> golden = GoldenRecords.all().get(file);
    SchemaFile schema = SchemaFile.of(golden.codec());
    List<String> disagreements = new ArrayList<>();
    for (Mutation mutation : Mutations.of(golden.encoded())) {
      String codec = refusal(golden.codec(), mutation);
      List<String> faults = schema.faults(mutation.json());
      if (faults.isEmpty() != codec.isEmpty()) {
        disagreements.add(mutation.what() + ": schema " + faults + ", codec [" + codec + "]");
      }
    }
    assertEquals("", String.join("\n", disagreements));
  }

  private static String refusal(JsonCodec<?> codec, Mutation mutation) {
    try {
      codec.decode(mutation.json().toString().getBytes(StandardCharsets.UTF_8));
      return "";
    } catch (InvalidRecordException e) {
      return e.getMessage();
    }
  }
}
