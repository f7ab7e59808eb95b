package io.warmpath.schemas.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;

/**
 * Tells whether files have changed by what is in them: times and inodes say nothing where an editor
 * replaces a file or Kubernetes turns a symbolic link.
 */
public final class FileContents {

  private FileContents() {}

  /** A text that is another one when any of the files is; files may be missing. */
  public static String fingerprint(Collection<Path> files) {
    MessageDigest digest = sha256();
    for (Path file : files) {
      digest.update(file.toString().getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
      try {
        digest.update(sha256().digest(Files.readAllBytes(file)));
      } catch (IOException e) {
        digest.update((byte) 1);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
