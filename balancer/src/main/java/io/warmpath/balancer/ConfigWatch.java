package io.warmpath.balancer;

import io.warmpath.schemas.config.ConfigException;
import io.warmpath.schemas.config.FileContents;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a configuration again when its file, or one that it names, has changed. A configuration
 * that is not valid changes nothing and is said loudly, once.
 */
final class ConfigWatch {

  private static final Logger LOG = LoggerFactory.getLogger(ConfigWatch.class);

  private final Path file;
  private final LoadedConfig started;
  private final Consumer<LoadedConfig> apply;
  private final ReloadState state;
  private final LongSupplier epochMillis;
  private LoadedConfig current;

  /** Contents of the files when they were last read, null before they were read again. */
  private String taken;

  /** The files that these are the contents of. */
  private Set<Path> takenFiles;

  /** Contents at the last look. */
  private String seen;

  /** Files that a refused text names beside those that hold. */
  private List<Path> refusedFiles = List.of();

  /** Why the text was refused, null if it was not. */
  private String refusal;

  /**
   * @param started what was read from the file at the start
   * @param apply makes a configuration take effect as far as it can
   */
  ConfigWatch(
      Path file,
      LoadedConfig started,
      Consumer<LoadedConfig> apply,
      ReloadState state,
      LongSupplier epochMillis) {
    this.file = file;
    this.started = started;
    this.current = started;
    this.apply = apply;
    this.state = state;
    this.epochMillis = epochMillis;
  }

  /** Looks whether something changed. A change counts once two looks in a row found it the same. */
  void look() {
    Set<Path> files = files();
    String now = FileContents.fingerprint(files);
    boolean settled = now.equals(seen);
    seen = now;
    if (settled && !now.equals(taken)) {
      // They may have been changed since they were read and before they were looked at, so they are
      // read once more at first: at the start, and where a text names others than the one before.
      boolean changed = files.equals(takenFiles);
      taken = now;
      takenFiles = files;
      readAgain(changed);
    }
  }

  private Set<Path> files() {
    Set<Path> files = new LinkedHashSet<>();
    files.add(file);
    files.addAll(current.files());
    files.addAll(refusedFiles);
    return files;
  }

  private void readAgain(boolean changed) {
    try {
      LoadedConfig next = ConfigFile.read(file);
      apply.accept(next);
      boolean same = !changed && refusal == null && next.effective().sameAs(current.effective());
      current = next;
      refusal = null;
      refusedFiles = List.of();
      if (same) {
        return;
      }
      List<String> restart = next.effective().needingRestart(started.effective());
      state.succeeded(epochMillis.getAsLong(), restart);
      LOG.info("read {} again: it holds from now on", file);
      if (!restart.isEmpty()) {
        LOG.warn("of {} these count only after a restart: {}", file, String.join(", ", restart));
      }
    } catch (ConfigException e) {
      refusedFiles = e.files();
      refused(e, changed);
    } catch (IllegalArgumentException | UncheckedIOException e) {
      refusedFiles = List.of();
      refused(e, changed);
    }
  }

  private void refused(RuntimeException failure, boolean changed) {
    if (!changed && failure.getMessage().equals(refusal)) {
      return;
    }
    refusal = failure.getMessage();
    state.failed();
    LOG.error("the configuration was changed and is refused, the one before holds on: {}", refusal);
  }
}
