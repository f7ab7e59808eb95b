package io.warmpath.schemas.codec;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.fixture.GoldenRecords;
import io.warmpath.schemas.fixture.Kinds;
import io.warmpath.schemas.fixture.Sample;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever the bytes, a codec gives a record or an {@link InvalidRecordException}. */
class HostileBytesTest {

  private static final List<byte[]> GOLDEN =
      GoldenRecords.all().values().stream().map(Sample::encoded).toList();

  private static final List<String> FRAGMENTS =
      List.of(
          "{",
          "}",
          "[",
          "]",
          "\"",
          ",",
          ":",
          "null",
          "true",
          "NaN",
          "-",
          "e9",
          "\\u",
          "\\ud800",
          "1e999999999",
          "99999999999999999999",
          "\"v\":1,",
          "\"type\":",
          "{\"v\":1,",
          "\u00e9");

  @Property(tries = 5_000)
  void arbitraryBytes(@ForAll byte[] bytes) {
    assertHandled(bytes);
  }

  @Property(tries = 3_000)
  void arbitraryJsonFragments(@ForAll("fragments") String text) {
    assertHandled(text.getBytes(StandardCharsets.UTF_8));
  }

  @Property(tries = 20_000)
  void mutatedRecords(@ForAll("mutants") byte[] bytes) {
    assertHandled(bytes);
  }

  private static void assertHandled(byte[] bytes) {
    for (JsonCodec<?> codec : Kinds.ALL) {
      assertHandled(codec, bytes);
    }
  }

  private static <T extends WarmpathRecord> void assertHandled(JsonCodec<T> codec, byte[] bytes) {
    T record;
    try {
      record = codec.decode(bytes);
    } catch (InvalidRecordException refusal) {
      assertNotNull(refusal.reason());
      return;
    }
    // Whatever was accepted can be written again.
    assertNotNull(codec.encode(record));
  }

  @Provide
  Arbitrary<String> fragments() {
    return Arbitraries.of(FRAGMENTS).list().ofMaxSize(30).map(parts -> String.join("", parts));
  }

  /** A golden record in which some bytes are overwritten, cut out or doubled. */
  @Provide
  Arbitrary<byte[]> mutants() {
    Arbitrary<Edit> edits =
        Combinators.combine(
                Arbitraries.doubles().between(0, 1),
                Arbitraries.integers().between(0, 12),
                Arbitraries.oneOf(
                    Arbitraries.of(FRAGMENTS).map(text -> text.getBytes(StandardCharsets.UTF_8)),
                    Arbitraries.bytes().array(byte[].class).ofMaxSize(4)))
            .as(Edit::new);
    return Combinators.combine(Arbitraries.of(GOLDEN), edits.list().ofMinSize(1).ofMaxSize(3))
        .as(
            (golden, list) -> {
              byte[] bytes = golden;
              for (Edit edit : list) {
                bytes = edit.applyTo(bytes);
              }
              return bytes;
            });
  }

  /**
   * Replaces bytes by others.
   *
   * @param at where, as a share of the record
   * @param length how many are taken out
   * @param with what is put in
   */
  private record Edit(double at, int length, byte[] with) {

    byte[] applyTo(byte[] bytes) {
      int from = (int) (at * bytes.length);
      int to = Math.min(bytes.length, from + length);
      byte[] edited = new byte[bytes.length - (to - from) + with.length];
      System.arraycopy(bytes, 0, edited, 0, from);
      System.arraycopy(with, 0, edited, from, with.length);
      System.arraycopy(bytes, to, edited, from + with.length, bytes.length - to);
      return edited;
    }
  }
}
