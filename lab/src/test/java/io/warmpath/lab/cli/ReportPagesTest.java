package io.warmpath.lab.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.lab.replay.ReplayReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportPagesTest {

  @TempDir private Path folder;

  private String page(String... command) throws IOException {
    Path page = folder.resolve("page.html");
    List<String> line = new java.util.ArrayList<>(List.of(command));
    line.addAll(List.of("--report", page.toString()));
    CommandRun run = CommandRun.of(line);
    assertEquals(0, run.exitCode(), run::output);
    return Files.readString(page);
  }

  @Test
  void aTraceGivesAPage() throws IOException {
    Path trace = folder.resolve("a<b.jsonl");
    Files.writeString(
        trace,
        "{\"timestamp\": 0, \"input_length\": 1000, \"output_length\": 10, \"hash_ids\": [1, 2]}\n"
            + "{\"timestamp\": 9, \"input_length\": 1000, \"output_length\": 10, \"hash_ids\": [1,"
            + " 2]}\n");
    String html = page("simulate", "--trace", trace.toString(), "--policy", "adaptive,random");
    assertTrue(html.contains("<h1>Policies on a&lt;b</h1>"), html);
    assertEquals(3, html.split("<svg class=\"chart\"", -1).length - 1);
  }

  @Test
  void theFoundingStudyGivesAPage() throws IOException {
    String html = page("simulate", "--workload", "founding", "--runs", "3");
    assertTrue(html.contains("published prefix_affinity"), html);
    assertEquals(2, html.split("<svg class=\"chart\"", -1).length - 1);
  }

  @Test
  void aReplayWithoutAnAnswerGivesAPageToo() {
    ReplayReport nothing =
        new ReplayReport(
            2,
            0,
            2,
            1,
            0,
            null,
            null,
            null,
            0,
            0,
            null,
            0,
            0,
            0,
            Map.of(),
            Map.of("<refused>", 2L));
    String html = ReplayPage.of(nothing, "2 requests").html();
    assertTrue(html.contains("&lt;refused&gt;"), html);
    assertFalse(html.contains("NaN"), html);
  }

  @Test
  void aFileThatCannotBeWrittenIsFoundBeforeTheWork() {
    CommandRun run =
        CommandRun.of(
            List.of("simulate", "--workload", "founding", "--report", "/nowhere/page.html"));
    assertEquals(2, run.exitCode());
    assertTrue(run.output().contains("--report: cannot write /nowhere/page.html"), run::output);
  }
}
