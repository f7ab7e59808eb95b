package io.warmpath.lab.cluster;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Later versions of the jobs, as an edit of today's sources: for better or worse. */
enum JobVariant {
  /** Panes get a field more, and are migrated. */
  ADDED_STATE_FIELD(
      new Edit(
          "pane/PaneSerializer",
          "  private static final long serialVersionUID = 1L;\n",
          """
            private static final long serialVersionUID = 1L;

            private final int format;

            public PaneSerializer() {
              this(2);
            }

            private PaneSerializer(int format) {
              this.format = format;
            }
          """),
      new Edit(
          "pane/PaneSerializer",
          "    writeGpus(pane, target);\n",
          "    writeGpus(pane, target);\n    Varint.write(pane.gpuByReplica().size() + 7L, target);\n"),
      new Edit(
          "pane/PaneSerializer",
          "    return pane;\n",
          """
              if (format > 1 && Varint.read(source) != pane.gpuByReplica().size() + 7L) {
                throw new IOException("the added field is another");
              }
              return pane;
          """),
      new Edit("pane/PaneSerializer", "int VERSION = 1;", "int VERSION = 2;"),
      new Edit(
          "pane/PaneSerializer",
          "public TypeSerializer<Pane> restoreSerializer() {\n      return new PaneSerializer();",
          "public TypeSerializer<Pane> restoreSerializer() {\n      return new PaneSerializer(version);"),
      new Edit(
          "pane/PaneSerializer",
          "? TypeSerializerSchemaCompatibility.compatibleAsIs()",
          "? snapshot.version < VERSION"
              + " ? TypeSerializerSchemaCompatibility.compatibleAfterMigration()"
              + " : TypeSerializerSchemaCompatibility.compatibleAsIs()")),

  /** Panes in a format that does not read the old one. */
  OTHER_SERIALIZER(
      new Edit("pane/PaneSerializer", "int VERSION = 1;", "int VERSION = 2;"),
      new Edit(
          "pane/PaneSerializer", "snapshot.version <= VERSION", "snapshot.version == VERSION")),

  /** An operator by another uid. */
  OTHER_UID(new Edit("RoutingStatsJob", ".uid(\"stats-ring\")", ".uid(\"stats-rings\")")),

  /** A state by another name. */
  OTHER_STATE_NAME(new Edit("window/Ring", "<>(\"panes\",", "<>(\"panes-by-second\",")),

  /** Rows with a field more. */
  ADDED_OUTPUT_FIELD(
      rewritten(".replaceFirst(\"\\\"v\\\":1\", \"\\\"v\\\":1,\\\"queue_ms\\\":7\")")),

  /** Rows with a field more, and another figure. */
  OTHER_FIGURES(
      rewritten(
          ".replaceFirst(\"\\\"v\\\":1\", \"\\\"v\\\":1,\\\"queue_ms\\\":7\")"
              + ".replaceFirst(\"\\\"rps\\\":\", \"\\\"rps\\\":1\")")),

  /** Starts everywhere but where it is to publish. */
  FAILING_START(
      new Edit(
          "window/RowOrder",
          "    held = rows(\"held-rows\");\n",
          "    if ("
              + publishes()
              + ") { throw new IllegalStateException(\"no start here\"); }\n"
              + "    held = rows(\"held-rows\");\n")),

  /** Runs, and where it publishes it leaves out windows. */
  LOSING_WINDOWS(
      new Edit(
          "window/RowOrder",
          "take(held, untilMs).values().forEach(out::collect);",
          "take(held, untilMs).values().stream()"
              + ".filter(row -> !("
              + publishes()
              + ") || row.place().endMs() % 3_000 != 0)"
              + ".forEach(out::collect);"));

  private static final Path SOURCES = Path.of("../jobs/src/main/java/io/warmpath/jobs");

  private final List<Edit> edits;

  /** One place in one source. */
  private record Edit(String file, String from, String to) {

    String applied(String source) {
      if (source.split(Pattern.quote(from), -1).length != 2) {
        throw new IllegalStateException(file + " has not one place with: " + from);
      }
      return source.replace(from, to);
    }
  }

  JobVariant(Edit... edits) {
    this.edits = List.of(edits);
  }

  private static Edit rewritten(String how) {
    return new Edit(
        "window/WrittenRow",
        "RecordKind.ROUTING_STATS.codec().encode(row));",
        "new String(RecordKind.ROUTING_STATS.codec().encode(row),"
            + " java.nio.charset.StandardCharsets.UTF_8)"
            + how
            + ".getBytes(java.nio.charset.StandardCharsets.UTF_8));");
  }

  /** On a cluster, and not beside another that publishes. */
  private static String publishes() {
    return "getRuntimeContext().getJobInfo().getJobName().equals(\"warmpath routing-stats\")"
        + " && System.getProperty(\"sun.java.command\").contains(\"TaskManagerRunner\")";
  }

  /** The jar as it is deployed, with the edited classes in place of today's. */
  Path jar(Path folder) throws IOException, URISyntaxException {
    Path jar = folder.resolve("jobs-" + name().toLowerCase(Locale.ROOT) + ".jar");
    Path classes = compiled(Files.createTempDirectory(folder, "variant"));
    Files.copy(ClassPath.jobsJar(), jar, StandardCopyOption.REPLACE_EXISTING);
    try (FileSystem inside = FileSystems.newFileSystem(jar);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(
            file,
            inside.getPath("/" + classes.relativize(file)),
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return jar;
  }

  private Path compiled(Path folder) throws IOException {
    Path sources = Files.createDirectories(folder.resolve("sources"));
    for (String file : edits.stream().map(Edit::file).distinct().toList()) {
      String source = Files.readString(SOURCES.resolve(file + ".java"));
      for (Edit edit : edits) {
        source = edit.file.equals(file) ? edit.applied(source) : source;
      }
      Files.writeString(sources.resolve(Path.of(file).getFileName() + ".java"), source);
    }
    Path classes = Files.createDirectories(folder.resolve("classes"));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (var manager = compiler.getStandardFileManager(null, null, null);
        Stream<Path> files = Files.list(sources)) {
      boolean well =
          compiler
              .getTask(
                  said,
                  manager,
                  null,
                  List.of(
                      "-proc:none",
                      "-cp",
                      ClassPath.all(),
                      "-d",
                      classes.toString(),
                      "--release",
                      "17"),
                  null,
                  manager.getJavaFileObjectsFromPaths(files.toList()))
              .call();
      if (!well) {
        throw new IllegalStateException(this + " does not compile:\n" + said);
      }
    }
    return classes;
  }
}
