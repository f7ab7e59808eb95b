package io.warmpath.console.web;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * A file of the page, held in memory.
 *
 * @param path where it is served
 * @param contentType what it is
 * @param content its bytes
 */
record Asset(String path, String contentType, Buffer content) {

  /** Loads {@code resource} of the folder {@code /page} in the jar. */
  static Asset load(String path, String contentType, String resource) {
    String name = "/page/" + resource;
    try (InputStream in = Asset.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is not in the jar");
      }
      return new Asset(path, contentType, Buffer.buffer(in.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name, e);
    }
  }
}
