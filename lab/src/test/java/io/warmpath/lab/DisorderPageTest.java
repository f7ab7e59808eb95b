package io.warmpath.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each test that docs/disorder.md names exists. */
class DisorderPageTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern NAMED = Pattern.compile("`(\\w+(?:Test|IT))#(\\w+)`");

  @Test
  void everyTestThatIsNamedExists() throws IOException {
    Map<String, String> sources = testSources();
    Matcher named = NAMED.matcher(Files.readString(ROOT.resolve("docs/disorder.md")));
    List<String> missing = new ArrayList<>();
    int found = 0;
    while (named.find()) {
      found++;
      if (!sources.getOrDefault(named.group(1), "").contains("void " + named.group(2) + "(")) {
        missing.add(named.group());
      }
    }
    assertTrue(found > 0, "the page names no test");
    assertEquals(List.of(), missing);
  }

  private static Map<String, String> testSources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    for (String module : List.of("schemas", "jobs", "lab")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          String name = file.getFileName().toString().replace(".java", "");
          sources.put(name, Files.readString(file));
        }
      }
    }
    return sources;
  }
}
