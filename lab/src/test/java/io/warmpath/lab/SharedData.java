package io.warmpath.lab;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Public data that may lie beside a checkout, in {@code ../shared/data}. */
public final class SharedData {

  private SharedData() {}

  /** Root of the checkout: the nearest folder above the working one that holds all modules. */
  public static Path projectRoot() {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null
        && !(Files.exists(folder.resolve("lab/pom.xml"))
            && Files.exists(folder.resolve("routing/pom.xml")))) {
      folder = folder.getParent();
    }
    if (folder == null) {
      throw new IllegalStateException("not inside a checkout: " + Path.of("").toAbsolutePath());
    }
    return folder;
  }

  /** One folder of the data, if it is there. */
  public static Optional<Path> folder(String name) {
    Path folder = projectRoot().resolveSibling("shared").resolve("data").resolve(name);
    return Files.isDirectory(folder) ? Optional.of(folder) : Optional.empty();
  }
}
