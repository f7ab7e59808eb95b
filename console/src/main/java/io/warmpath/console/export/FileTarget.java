package io.warmpath.console.export;

import java.io.IOException;
import java.util.function.Function;

/** A router that watches a file, or whose file something else takes to it. */
final class FileTarget implements RouterTarget {

  private final ReplacedFile file;
  private final Function<RouterWeights, String> writer;
  private String written;

  FileTarget(ReplacedFile file, Function<RouterWeights, String> writer) {
    this.file = file;
    this.writer = writer;
  }

  @Override
  public WeightScale scale() {
    return WeightScale.THOUSANDTHS;
  }

  @Override
  public String render(RouterWeights weights) {
    return writer.apply(weights);
  }

  @Override
  public boolean apply(RouterWeights weights, long nowMs) throws IOException {
    String text = writer.apply(weights);
    file.write(text);
    written = text;
    return true;
  }

  @Override
  public boolean holds(RouterWeights applied) throws IOException {
    return file.holds(written);
  }
}
