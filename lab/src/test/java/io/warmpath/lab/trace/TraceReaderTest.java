package io.warmpath.lab.trace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.warmpath.lab.SharedData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceReaderTest {

  private static final String MOONCAKE =
      """
      {"timestamp": 0, "input_length": 1100, "output_length": 5, "hash_ids": [0, 1, 2]}
      {"timestamp": 3000, "input_length": 512, "output_length": 7, "hash_ids": [0]}
      """;

  private static final String QWEN =
      """
      {"chat_id": 11, "parent_chat_id": -1, "timestamp": 0.25, "input_length": 33, "output_length": 4, "type": "text", "turn": 1, "hash_ids": [7, 8, 9]}
      {"chat_id": 12, "parent_chat_id": -1, "timestamp": 1.5, "input_length": 16, "output_length": 4, "type": "text", "turn": 1, "hash_ids": [5]}
      {"chat_id": 13, "parent_chat_id": 11, "timestamp": 2.0, "input_length": 40, "output_length": 4, "type": "text", "turn": 2, "hash_ids": [7, 8, 10]}
      {"chat_id": 14, "parent_chat_id": 13, "timestamp": 3.0, "input_length": 40, "output_length": 4, "type": "text", "turn": 3, "hash_ids": [7, 8, 10]}
      """;

  private static final String AZURE =
      """
      TIMESTAMP,ContextTokens,GeneratedTokens
      2023-11-16 18:15:46.6805900,374,44
      2023-11-16 18:15:50.9951690,396,109
      """;

  @TempDir Path folder;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private Path gzip(String name, String content, int bytesCutOff) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(content.getBytes(StandardCharsets.UTF_8));
    }
    byte[] all = bytes.toByteArray();
    return Files.write(folder.resolve(name), Arrays.copyOf(all, all.length - bytesCutOff));
  }

  @Test
  void readsMooncakeAndKeepsThePartialLastBlockApart() throws IOException {
    Trace trace = TraceReader.read(file("m.jsonl", MOONCAKE));
    assertEquals(TraceFormat.MOONCAKE, trace.format());
    assertEquals("m", trace.name());
    assertEquals(2, trace.size());
    assertEquals(512, trace.blockTokens());
    assertEquals(3_000_000, trace.arrivalMicros(1));
    assertEquals(1_100, trace.inputTokens(0));
    assertEquals(7, trace.outputTokens(1));
    assertEquals(3, trace.blocks(0));
    assertEquals(2, trace.fullBlocks(0));
    assertArrayEquals(new long[] {0, 1}, trace.leadingIds(0, 2));
    assertEquals(Trace.NO_SESSION, trace.session(0));
    assertFalse(trace.sessionsKnown());
    assertEquals(1_612, trace.totalInputTokens());
  }

  @Test
  void readsGzipByItsContentWhateverTheName() throws IOException {
    Trace trace = TraceReader.read(gzip("trace.data", MOONCAKE, 0));
    assertEquals(2, trace.size());
  }

  @Test
  void readsMooncakeWithSessions() throws IOException {
    String lines =
        """
        {"session_id": "a", "turn": 1, "timestamp": 0, "input_length": 5, "output_length": 1, "hash_ids": [1]}
        {"session_id": "b", "turn": 1, "timestamp": 1, "input_length": 5, "output_length": 1, "hash_ids": [2]}
        {"session_id": "a", "turn": 2, "timestamp": 2, "input_length": 5, "output_length": 1, "hash_ids": [3]}
        """;
    Trace trace = TraceReader.read(file("s.jsonl", lines));
    assertTrue(trace.sessionsKnown());
    assertEquals(trace.session(0), trace.session(2));
    assertEquals(2, trace.session(1));
  }

  @Test
  void readsQwenAndJoinsTurnsToSessionsByTheTurnBefore() throws IOException {
    Trace trace = TraceReader.read(file("q.jsonl", QWEN));
    assertEquals(TraceFormat.QWEN, trace.format());
    assertEquals(16, trace.blockTokens());
    assertEquals(250_000, trace.arrivalMicros(0));
    assertEquals(2, trace.fullBlocks(0));
    assertEquals(trace.session(0), trace.session(2));
    assertEquals(trace.session(0), trace.session(3));
    assertTrue(trace.session(1) != trace.session(0));
  }

  @Test
  void readsAzureWithTimesFromTheFirstRequest() throws IOException {
    Trace trace = TraceReader.read(file("a.csv", AZURE));
    assertEquals(TraceFormat.AZURE, trace.format());
    assertEquals(0, trace.arrivalMicros(0));
    assertEquals(4_314_579, trace.arrivalMicros(1));
    assertEquals(396, trace.inputTokens(1));
    assertEquals(109, trace.outputTokens(1));
    assertEquals(0, trace.fullBlocks(1));
  }

  @Test
  void anExplicitFormatOverridesDetection() throws IOException {
    Trace trace = TraceReader.read(file("q.jsonl", QWEN), TraceFormat.MOONCAKE);
    assertEquals(512, trace.blockTokens());
  }

  @Test
  void keepsTheFirstRequestsOnDemand() throws IOException {
    Trace trace = TraceReader.read(file("m.jsonl", MOONCAKE)).first(1);
    assertEquals(1, trace.size());
    assertEquals(2, trace.fullBlocks(0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"timestamp\": 0, \"input_length\": 5, \"hash_ids\": []}|output_length is missing",
        "{\"timestamp\": 0, \"input_length\": -1, \"output_length\": 1}|input_length is out of range",
        "{\"timestamp\": \"x\", \"input_length\": 1, \"output_length\": 1}|timestamp is not a number",
        "{\"timestamp\": -5, \"input_length\": 1, \"output_length\": 1}|timestamp is out of range",
        "{\"timestamp\": 1, \"input_length\": 1.5, \"output_length\": 1}|input_length is not an integer",
        "{\"timestamp\": 1, \"input_length\": 1, \"output_length\": 1, \"hash_ids\": [\"a\"]}|hash_ids holds",
        "{\"timestamp\": 1, \"input_length\": 1, \"output_length\": 1, \"hash_ids\": [[1]]}|hash_ids holds",
        "{\"timestamp\": 1, \"input_length\": 1, \"output_length\": 1, \"hash_ids\": 4}|hash_ids is not an array",
        "{\"timestamp\": 1, \"input_length\": 99999999999999999999999, \"output_length\": 1}|JSON",
        "[1]|expected a JSON object",
        "{\"timestamp\": 1, }|not valid JSON",
        "nonsense|not valid JSON",
        "{\"timestamp\": 9, \"input_length\": 1024, \"output_length\": 1, \"hash_ids\": [1, 0]}|not chained",
      })
  void everyErrorNamesFileAndLine(String badLine, String reason) throws IOException {
    Path file = file("bad.jsonl", MOONCAKE + badLine + "\n");
    TraceException e = assertThrows(TraceException.class, () -> TraceReader.read(file));
    assertTrue(e.getMessage().contains("bad.jsonl:3: "), e.getMessage());
    assertTrue(e.getMessage().contains(reason), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2023-11-16 18:15:46.68,1|expected 3 columns",
        "soon,1,2|TIMESTAMP is not a time",
        "2023-11-16 18:15:46,x,2|ContextTokens is not an integer",
        "2023-11-16 18:15:46,1,-2|GeneratedTokens is negative",
      })
  void everyErrorOfAzureNamesFileAndLine(String badLine, String reason) throws IOException {
    Path file = file("bad.csv", AZURE + badLine + "\n");
    TraceException e = assertThrows(TraceException.class, () -> TraceReader.read(file));
    assertTrue(e.getMessage().contains("bad.csv:4: "), e.getMessage());
    assertTrue(e.getMessage().contains(reason), e.getMessage());
  }

  @Test
  void aCutGzipFileIsAnError() throws IOException {
    Path file = gzip("cut.jsonl.gz", MOONCAKE, 9);
    TraceException e = assertThrows(TraceException.class, () -> TraceReader.read(file));
    assertTrue(e.getMessage().contains("gzip"), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"''", "'\n\n'", "'TIMESTAMP,ContextTokens,GeneratedTokens\n'", "'a,b\n1,2\n'"})
  void aFileWithoutRequestsIsAnError(String content) throws IOException {
    Path file = file("empty", content);
    assertThrows(TraceException.class, () -> TraceReader.read(file));
  }

  @Test
  void aMissingFileIsNamed() {
    Path file = folder.resolve("nowhere.jsonl");
    TraceException e = assertThrows(TraceException.class, () -> TraceReader.read(file));
    assertTrue(e.getMessage().endsWith("nowhere.jsonl: no such file"), e.getMessage());
  }

  @Test
  void aLineWithoutEndDoesNotFillTheMemory() throws IOException {
    Path file = file("long.csv", AZURE + "9".repeat(100_000));
    assertThrows(TraceException.class, () -> TraceReader.read(file));
  }

  @Test
  void anUnknownFormatIsRefusedWithTheKnownNames() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> TraceFormat.parse("burst"));
    assertTrue(e.getMessage().contains("mooncake, azure, qwen"), e.getMessage());
  }

  @Test
  void readsThePublishedMooncakeTrace() throws IOException {
    Optional<Path> published = SharedData.folder("mooncake");
    assumeTrue(published.isPresent(), "no ../shared/data/mooncake beside this checkout");
    Trace trace = TraceReader.read(published.get().resolve("conversation_trace.jsonl.gz"));
    assertEquals(12_031, trace.size());
    assertEquals(144_793_823, trace.totalInputTokens());
  }

  @Test
  void readsThePublishedAzureTrace() throws IOException {
    Optional<Path> published = SharedData.folder("azure");
    assumeTrue(published.isPresent(), "no ../shared/data/azure beside this checkout");
    Trace trace = TraceReader.read(published.get().resolve("AzureLLMInferenceTrace_conv.csv.gz"));
    assertEquals(19_366, trace.size());
    assertEquals(TraceFormat.AZURE, trace.format());
    assertEquals(3_501, trace.arrivalMicros(trace.size() - 1) / 1_000_000);
  }
}
