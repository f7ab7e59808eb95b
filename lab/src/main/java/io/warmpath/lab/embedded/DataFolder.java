package io.warmpath.lab.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Where something embedded keeps its files: a folder that stays, or one that goes with it. */
abstract class DataFolder implements AutoCloseable {

  private final Path path;

  private DataFolder(Path path) {
    this.path = path;
  }

  /** A folder that stays; created if missing. */
  static DataFolder kept(Path path) {
    try {
      Files.createDirectories(path);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create the folder " + path, e);
    }
    return new DataFolder(path.toAbsolutePath()) {
      @Override
      public void close() {
        // It stays.
      }
    };
  }

  /** A new folder among the system's temporary files, deleted on close. */
  static DataFolder temporary(String name) {
    try {
      return new Temporary(Files.createTempDirectory("warmpath-" + name + "-"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create a temporary folder", e);
    }
  }

  Path path() {
    return path;
  }

  @Override
  public abstract void close();

  private static final class Temporary extends DataFolder {

    Temporary(Path path) {
      super(path);
    }

    @Override
    public void close() {
      try {
        Files.walkFileTree(path(), new Deletion());
      } catch (IOException e) {
        throw new UncheckedIOException("cannot delete " + path(), e);
      }
    }
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, IOException e) throws IOException {
      if (e != null) {
        throw e;
      }
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
