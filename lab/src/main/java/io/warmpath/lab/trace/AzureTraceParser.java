package io.warmpath.lab.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;

/** Parser of Azure's CSV. Times count from the first request, which arrives at 0. */
final class AzureTraceParser {

  private static final String HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens";

  private static final int MAX_LINE_CHARACTERS = 4_096;

  private static final DateTimeFormatter TIMESTAMP =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd HH:mm:ss")
          .optionalStart()
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .optionalEnd()
          .optionalStart()
          .appendOffset("+HH:mm", "+00:00")
          .optionalEnd()
          .toFormatter();

  private final String file;
  private final TraceBuilder out;
  private long line;
  private long originMicros;

  AzureTraceParser(String file, TraceBuilder out) {
    this.file = file;
    this.out = out;
  }

  static boolean recognises(String start) {
    return start.startsWith(HEADER);
  }

  void parse(InputStream in) throws IOException {
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8), 1 << 16);
    StringBuilder text = new StringBuilder();
    while (readLine(reader, text)) {
      line++;
      String row = text.toString().strip();
      if (line == 1) {
        if (!row.equals(HEADER)) {
          throw new TraceException(file, line, "the first line is not '" + HEADER + "'");
        }
      } else if (!row.isEmpty()) {
        request(row);
      }
    }
  }

  /** Like {@link BufferedReader#readLine}, but a line without end cannot fill the memory. */
  private boolean readLine(BufferedReader reader, StringBuilder text) throws IOException {
    text.setLength(0);
    int c = reader.read();
    if (c < 0) {
      return false;
    }
    for (; c >= 0 && c != '\n'; c = reader.read()) {
      if (text.length() == MAX_LINE_CHARACTERS) {
        throw new TraceException(
            file, line + 1, "the line is longer than " + MAX_LINE_CHARACTERS + " characters");
      }
      text.append((char) c);
    }
    return true;
  }

  private void request(String row) throws TraceException {
    String[] cells = row.split(",", -1);
    if (cells.length != 3) {
      throw new TraceException(file, line, "expected 3 columns, found " + cells.length);
    }
    try {
      long micros = micros(cells[0].strip());
      if (out.size() == 0) {
        originMicros = micros;
      }
      int input = tokens(cells[1], "ContextTokens");
      int output = tokens(cells[2], "GeneratedTokens");
      out.endRequest(micros - originMicros, input, output, Trace.NO_SESSION);
    } catch (IllegalArgumentException e) {
      throw new TraceException(file, line, e.getMessage());
    }
  }

  private static long micros(String cell) {
    try {
      LocalDateTime time = LocalDateTime.parse(cell, TIMESTAMP);
      return time.toEpochSecond(ZoneOffset.UTC) * 1_000_000 + time.getNano() / 1_000;
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("TIMESTAMP is not a time: '" + cell + "'");
    }
  }

  private static int tokens(String cell, String column) {
    try {
      int value = Integer.parseInt(cell.strip());
      if (value < 0) {
        throw new IllegalArgumentException(column + " is negative: " + value);
      }
      return value;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(column + " is not an integer: '" + cell + "'");
    }
  }
}
