package io.warmpath.lab.trace;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Reads trace files, plain or gzipped, as a stream. */
public final class TraceReader {

  /** How much of a file is looked at to recognise its format. */
  private static final int HEAD_BYTES = 64 * 1024;

  private static final int GZIP_MAGIC_0 = 0x1f;
  private static final int GZIP_MAGIC_1 = 0x8b;

  private TraceReader() {}

  /**
   * Reads a trace whose format is recognised by its first line.
   *
   * @throws TraceException naming file and line, if the content is not a trace
   */
  public static Trace read(Path file) throws IOException {
    return read(file, detect(file));
  }

  /** Reads a trace of the given format, with the format's own block size. */
  public static Trace read(Path file, TraceFormat format) throws IOException {
    return read(file, format, OptionalInt.empty());
  }

  /**
   * Reads a trace of the given format.
   *
   * @param blockTokens tokens that one id stands for, where it is not the format's own size
   * @throws TraceException naming file and line, if the content is not of that format
   */
  public static Trace read(Path file, TraceFormat format, OptionalInt blockTokens)
      throws IOException {
    try (InputStream in = open(file)) {
      return parse(file, in, format, blockTokens.orElse(format.blockTokens()));
    }
  }

  /**
   * Recognises the format of a file by its first line.
   *
   * @throws TraceException if it is none of the known ones
   */
  public static TraceFormat detect(Path file) throws IOException {
    try (InputStream in = open(file)) {
      return detect(file, in.readNBytes(HEAD_BYTES));
    } catch (ZipException | EOFException e) {
      throw damaged(file, e);
    }
  }

  private static TraceFormat detect(Path file, byte[] head) throws TraceException {
    String start = new String(head, StandardCharsets.UTF_8).stripLeading();
    if (start.isEmpty()) {
      throw new TraceException(file.toString(), "the file is empty");
    }
    if (AzureTraceParser.recognises(start)) {
      return TraceFormat.AZURE;
    }
    if (start.charAt(0) == '{') {
      return firstObjectHas(head, "chat_id") ? TraceFormat.QWEN : TraceFormat.MOONCAKE;
    }
    throw new TraceException(
        file.toString(),
        1,
        "this is none of the known trace formats (" + TraceFormat.labels() + ")");
  }

  private static boolean firstObjectHas(byte[] head, String field) {
    try (JsonParser parser = new JsonFactory().createParser(head)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        if (parser.currentName().equals(field)) {
          return true;
        }
        parser.nextToken();
        parser.skipChildren();
      }
      return false;
    } catch (IOException e) {
      // A cut or broken first line: the parser of the format reports it with its place.
      return false;
    }
  }

  private static InputStream open(Path file) throws IOException {
    InputStream raw;
    try {
      raw = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    } catch (NoSuchFileException e) {
      throw new TraceException(file.toString(), "no such file");
    }
    try {
      raw.mark(2);
      boolean gzipped = raw.read() == GZIP_MAGIC_0 && raw.read() == GZIP_MAGIC_1;
      raw.reset();
      return gzipped ? new BufferedInputStream(new GZIPInputStream(raw, 1 << 16), 1 << 16) : raw;
    } catch (IOException e) {
      raw.close();
      throw e;
    }
  }

  private static Trace parse(Path file, InputStream in, TraceFormat format, int blockTokens)
      throws IOException {
    TraceBuilder builder = new TraceBuilder(nameOf(file), format, blockTokens);
    try {
      switch (format) {
        case MOONCAKE, QWEN -> new JsonTraceParser(file.toString(), format, builder).parse(in);
        case AZURE -> new AzureTraceParser(file.toString(), builder).parse(in);
      }
    } catch (JacksonException e) {
      long line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      throw new TraceException(
          file.toString(),
          line,
          "not valid JSON: " + e.getOriginalMessage().lines().findFirst().orElse(""));
    } catch (ZipException | EOFException e) {
      throw damaged(file, e);
    }
    if (builder.size() == 0) {
      throw new TraceException(file.toString(), "the file holds no requests");
    }
    return builder.build();
  }

  private static TraceException damaged(Path file, IOException cause) {
    return new TraceException(file.toString(), "the gzip data are damaged: " + cause.getMessage());
  }

  private static String nameOf(Path file) {
    String name = file.getFileName().toString();
    return name.replaceFirst("\\.gz$", "").replaceFirst("\\.(jsonl|json|csv)$", "");
  }
}
