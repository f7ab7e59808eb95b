package io.warmpath.bench.proxy;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/** Finds programs of the system. */
final class Commands {

  /** Servers are often there, and not on a user's path. */
  private static final String SERVERS = "/usr/sbin:/usr/local/sbin";

  private Commands() {}

  /** Path of a program, or null if it is not installed. */
  static Path find(String name) {
    String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + SERVERS;
    Stream<String> folders = Arrays.stream(path.split(File.pathSeparator));
    return folders
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }
}
