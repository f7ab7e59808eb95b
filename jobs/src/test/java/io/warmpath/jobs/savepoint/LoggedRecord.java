package io.warmpath.jobs.savepoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A record of a job's input, as it is kept beside a savepoint: what a savepoint says is true of
 * this input only.
 *
 * @param topic topic
 * @param partition partition
 * @param timestampMs the record's timestamp, epoch ms
 * @param value its value, JSON
 */
record LoggedRecord(String topic, int partition, long timestampMs, String value) {

  private static final ObjectMapper JSON = new ObjectMapper();

  static LoggedRecord of(String topic, int partition, long timestampMs, byte[] value) {
    return new LoggedRecord(
        topic, partition, timestampMs, new String(value, StandardCharsets.UTF_8));
  }

  byte[] bytes() {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  /** Reads the records of a compressed file, one a line. */
  static List<LoggedRecord> read(Path file) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(LoggedRecord::parse)
          .toList();
    }
  }

  /** Writes records to a compressed file, one a line. */
  static void write(Path file, List<LoggedRecord> records) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      for (LoggedRecord record : records) {
        out.write((record.line() + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private static LoggedRecord parse(String line) {
    try {
      return JSON.readValue(line, LoggedRecord.class);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String line() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
