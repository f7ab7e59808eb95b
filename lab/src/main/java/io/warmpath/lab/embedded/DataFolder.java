package io.warmpath.lab.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Where something embedded keeps its files: a folder that stays, or one that goes with it. */
public abstract class DataFolder implements AutoCloseable {

  private static final int DELETE_TRIES = 20;
  private static final Duration DELETE_PAUSE = Duration.ofMillis(50);

  private final Path path;

  private DataFolder(Path path) {
    this.path = path;
  }

  /** A folder that stays; created if missing. */
  public static DataFolder kept(Path path) {
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
  public static DataFolder temporary(String name) {
    try {
      return new Temporary(Files.createTempDirectory("warmpath-" + name + "-"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create a temporary folder", e);
    }
  }

  /** The folder. */
  public Path path() {
    return path;
  }

  @Override
  public abstract void close();

  private static final class Temporary extends DataFolder {

    Temporary(Path path) {
      super(path);
    }

    /** What was stopped may still have a file to write or to delete: then all of it again. */
    @Override
    public void close() {
      IOException failure = null;
      for (int tries = 0; tries < DELETE_TRIES; tries++) {
        try {
          if (Files.exists(path())) {
            Files.walkFileTree(path(), new Deletion());
          }
          return;
        } catch (IOException e) {
          failure = e;
          LockSupport.parkNanos(DELETE_PAUSE.toNanos());
        }
      }
      throw new UncheckedIOException("cannot delete " + path(), failure);
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
