package io.warmpath.lab.deploy;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * Remembers in a file what a deployment is doing, before it does it: whoever comes after a process
 * that was killed knows what it may have left. The file is gone when all is done.
 */
public final class Journal {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  private static final int MAX_BYTES = 1 << 20;

  private final Path file;

  /** A journal in a file. */
  public Journal(Path file) {
    this.file = file;
  }

  /** The file for a job on a cluster, below the user's own folder. */
  public static Path fileFor(DeployedJob job, URI target) {
    String where = target.getAuthority() + target.getPath();
    return Path.of(
        System.getProperty("user.home"),
        ".warmpath",
        "deploy",
        job + "@" + where.replaceAll("/+$", "").replaceAll("[^A-Za-z0-9.-]", "-") + ".json");
  }

  Path file() {
    return file;
  }

  /**
   * What an earlier deployment left under way.
   *
   * @throws IllegalStateException if the file cannot be understood
   */
  Optional<DeployState> read() {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new IllegalStateException(file + ": larger than " + MAX_BYTES + " bytes");
      }
      DeployState state = MAPPER.readValue(file.toFile(), DeployState.class);
      if (state.v() != DeployState.V) {
        throw new IllegalStateException(file + ": of version " + state.v());
      }
      return Optional.of(state);
    } catch (IOException e) {
      throw new IllegalStateException(file + ": no journal of a deployment: " + e.getMessage(), e);
    }
  }

  /**
   * Replaces what is remembered, at once or not at all. Options may hold secrets: for one's eyes.
   */
  void write(DeployState state) {
    try {
      Path folder = Files.createDirectories(file.toAbsolutePath().getParent());
      Path written = createPrivate(folder);
      MAPPER.writeValue(written.toFile(), state);
      Files.move(
          written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  private static Path createPrivate(Path folder) throws IOException {
    try {
      return Files.createTempFile(
          folder,
          ".deploy",
          ".tmp",
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (UnsupportedOperationException e) {
      // No POSIX file system; temporary files are their owner's there.
      return Files.createTempFile(folder, ".deploy", ".tmp");
    }
  }

  /** Nothing is under way any more. */
  void delete() {
    try {
      Files.deleteIfExists(file);
    } catch (FileSystemException e) {
      throw new UncheckedIOException("cannot delete " + file + ": " + e.getReason(), e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + file, e);
    }
  }
}
