package io.warmpath.console.export;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A file whose text is replaced as a whole: whoever reads it sees the old text or the new one, also
 * after a crash.
 *
 * @param path the file; its folder must be there
 */
public record ReplacedFile(Path path) {

  /** Replaces the text: written beside the file, brought to the disk, then renamed. */
  public void write(String text) throws IOException {
    Path beside = path.toAbsolutePath().resolveSibling("." + path.getFileName() + ".new");
    try {
      // Not a temporary file of the JDK's: nobody but its owner could read it.
      try (FileChannel channel =
          FileChannel.open(
              beside,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(beside, path.toAbsolutePath(), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(beside);
    }
  }

  /** Whether it holds exactly this text. */
  public boolean holds(String text) throws IOException {
    return Files.isRegularFile(path)
        && Files.size(path) < Integer.MAX_VALUE
        && Files.readString(path).equals(text);
  }
}
