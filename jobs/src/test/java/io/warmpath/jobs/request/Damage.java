package io.warmpath.jobs.request;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** What can become of an event's bytes: some of it is still an event, and some is none. */
final class Damage {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Characters that JSON gives a meaning to come up more often than others. */
  private static final String SPECIAL = "\"\\{}[],:0123456789-+.eEnulltrueflasex=/ \n\t\0";

  private static final List<String> VALUES =
      List.of(
          "null",
          "0",
          "-1",
          "1",
          "2",
          "1.0",
          "1e3",
          "-0",
          "007",
          "12345678",
          "123456789",
          "100000000000",
          "100000000001",
          "100000000000000",
          "100000000000001",
          "1234567812345678",
          "2147483647",
          "2147483648",
          "9223372036854775808",
          "99999999999999999999999",
          "NaN",
          "true",
          "false",
          "\"\"",
          "\"*\"",
          "\" \"",
          "\"é\"",
          "\"\\u0041\"",
          "\"ok\"",
          "\"timeout\"",
          "\"x\"",
          "\"sixteen_letters_\"",
          "[]",
          "{}",
          "[1]",
          "{\"a\":1}",
          "{\"a\":1,\"a\":2}",
          "\"AAAA\"",
          "\"AAAAAAAAAAA=\"");

  private Damage() {}

  /** One of the following. */
  static byte[] any(byte[] event, Random random) {
    return switch (random.nextInt(7)) {
      case 0 -> bytesGoneWrong(event, random);
      case 1 -> cutOrWithPiecesMoved(event, random);
      case 2 -> valueGoneWrong(event, random);
      case 3 -> shuffled(event, random);
      case 4 -> withSpace(event, random);
      case 5 -> withFieldTwice(event, random);
      default -> withTextGoneWrong(event, random);
    };
  }

  /** Up to three bytes are others. */
  static byte[] bytesGoneWrong(byte[] event, Random random) {
    byte[] bytes = event.clone();
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      bytes[random.nextInt(bytes.length)] =
          random.nextBoolean()
              ? (byte) SPECIAL.charAt(random.nextInt(SPECIAL.length()))
              : (byte) random.nextInt(256);
    }
    return bytes;
  }

  /** A piece is missing, or there twice. */
  static byte[] cutOrWithPiecesMoved(byte[] event, Random random) {
    String text = text(event);
    int from = random.nextInt(text.length());
    int to = from + random.nextInt(text.length() - from + 1);
    String piece = text.substring(from, to);
    return bytes(
        switch (random.nextInt(4)) {
          case 0 -> text.substring(0, from);
          case 1 -> text.substring(0, from) + text.substring(to);
          case 2 -> text.substring(0, to) + piece + text.substring(to);
          default -> text + piece;
        });
  }

  /** A field is missing, is one too many, or holds what it should not, or perhaps may. */
  static byte[] valueGoneWrong(byte[] event, Random random) {
    ObjectNode node = node(event);
    List<String> names = names(node);
    String name = names.get(random.nextInt(names.size()));
    String value = VALUES.get(random.nextInt(VALUES.size()));
    String marker = "\"<here>\"";
    if (random.nextInt(4) == 0 && node.get("prefix") instanceof ObjectNode prefix) {
      List<String> parts = names(prefix);
      prefix.put(parts.get(random.nextInt(parts.size())), "<here>");
    } else if (random.nextInt(6) == 0) {
      node.put(random.nextBoolean() ? "status" : "surprise", "<here>");
    } else if (random.nextInt(6) == 0) {
      node.remove(name);
    } else {
      node.put(name, "<here>");
    }
    return bytes(text(written(node)).replace(marker, value));
  }

  /** All fields but the first in another order. */
  static byte[] shuffled(byte[] event, Random random) {
    ObjectNode node = node(event);
    List<String> names = names(node);
    Collections.shuffle(names.subList(1, names.size()), random);
    ObjectNode shuffled = JSON.createObjectNode();
    names.forEach(name -> shuffled.set(name, node.get(name)));
    return written(shuffled);
  }

  private static byte[] withSpace(byte[] event, Random random) {
    String text = text(event);
    int at = random.nextInt(text.length() + 1);
    String space = List.of(" ", "\n", "\t", "\r\n", "  ").get(random.nextInt(5));
    return bytes(text.substring(0, at) + space + text.substring(at));
  }

  private static byte[] withFieldTwice(byte[] event, Random random) {
    ObjectNode node = node(event);
    List<String> names = names(node);
    String name = names.get(random.nextInt(names.size()));
    String field = ",\"" + name + "\":" + node.get(name);
    String text = text(event);
    int at = text.indexOf(",\"" + names.get(1 + random.nextInt(names.size() - 1)) + '"');
    return bytes(text.substring(0, at) + field + text.substring(at));
  }

  /** In a text stand an escape, bytes that are no UTF-8, or what is beyond ASCII. */
  private static byte[] withTextGoneWrong(byte[] event, Random random) {
    String text = text(event);
    List<Integer> ends = new ArrayList<>();
    for (int at = text.indexOf("\","); at >= 0; at = text.indexOf("\",", at + 1)) {
      ends.add(at);
    }
    int at = ends.get(random.nextInt(ends.size()));
    String wrong =
        List.of(
                "\\\"",
                "\\\\",
                "\\u00e9",
                "é",
                "\u0001",
                "\u00ff",
                "\u00c0\u0080",
                "\u00ed\u00a0\u0080")
            .get(random.nextInt(8));
    String changed = text.substring(0, at) + wrong + text.substring(at);
    // Read as Latin-1, the last ones are bytes that begin nothing, or end too early.
    return changed.getBytes(
        random.nextBoolean() ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
  }

  private static ObjectNode node(byte[] event) {
    try {
      return (ObjectNode) JSON.readTree(event);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] written(ObjectNode node) {
    try {
      return JSON.writeValueAsBytes(node);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> names(ObjectNode node) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
