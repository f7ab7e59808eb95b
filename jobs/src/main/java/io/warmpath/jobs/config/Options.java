package io.warmpath.jobs.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Options as they were given. Whatever is wrong with one is an {@link IllegalArgumentException}
 * whose message begins with its name.
 */
public final class Options {

  private static final String DASHES = "--";
  private static final String KAFKA_PREFIX = "kafka.";
  private static final Pattern DURATION = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");
  private static final Pattern SUFFIX = Pattern.compile("[A-Za-z0-9._-]{0,64}");

  private final Map<String, String> values;
  private final Map<String, String> kafka;

  private Options(Map<String, String> values, Map<String, String> kafka) {
    this.values = values;
    this.kafka = kafka;
  }

  /**
   * Reads arguments.
   *
   * @throws IllegalArgumentException if an option is unknown, given twice, without a value, or
   *     missing
   */
  public static Options parse(List<String> args, List<Option> known) {
    Map<String, String> given = new LinkedHashMap<>();
    Map<String, String> kafka = new LinkedHashMap<>();
    for (int i = 0; i < args.size(); i++) {
      String argument = args.get(i);
      if (!argument.startsWith(DASHES)) {
        throw new IllegalArgumentException(argument + ": not an option; options begin with --");
      }
      int equals = argument.indexOf('=');
      String name = argument.substring(DASHES.length(), equals < 0 ? argument.length() : equals);
      requireKnown(name, known);
      if (equals < 0 && ++i == args.size()) {
        throw new IllegalArgumentException(DASHES + name + ": no value given");
      }
      String value = equals < 0 ? args.get(i) : argument.substring(equals + 1);
      boolean forKafka = name.startsWith(KAFKA_PREFIX);
      String key = forKafka ? name.substring(KAFKA_PREFIX.length()) : name;
      if ((forKafka ? kafka : given).put(key, value) != null) {
        throw new IllegalArgumentException(DASHES + name + ": given twice");
      }
    }
    for (Option option : known) {
      if (option.defaultValue() != null) {
        given.putIfAbsent(option.name(), option.defaultValue());
      } else if (!given.containsKey(option.name())) {
        throw new IllegalArgumentException(DASHES + option.name() + ": must be given");
      }
    }
    return new Options(given, Map.copyOf(kafka));
  }

  private static void requireKnown(String name, List<Option> known) {
    boolean passedOn = name.startsWith(KAFKA_PREFIX) && name.length() > KAFKA_PREFIX.length();
    if (!passedOn && known.stream().noneMatch(option -> option.name().equals(name))) {
      throw new IllegalArgumentException(DASHES + name + ": unknown option; see --help");
    }
  }

  /** What {@code --help} prints. */
  public static String help(String title, List<Option> known) {
    StringBuilder text = new StringBuilder(title).append("\n\n");
    for (Option option : known) {
      String value = option.defaultValue() == null ? "required" : option.defaultValue();
      text.append("  --%-20s %s [%s]%n".formatted(option.name(), option.meaning(), value));
    }
    return text.append(
            "  --%-20s %s%n".formatted("kafka.PROPERTY", "any property of Kafka clients"))
        .append("  --%-20s %s%n".formatted("help", "this text"))
        .toString();
  }

  /** Properties given as {@code --kafka.PROPERTY}. */
  public Map<String, String> kafka() {
    return kafka;
  }

  /** The value as it is. */
  public String text(String name) {
    return read(name, "text that is not blank", text -> text.isBlank() ? null : text);
  }

  /** What may end a topic's name; it may be empty. */
  String suffix(String name) {
    return read(
        name,
        "at most 64 of the characters A–Z a–z 0–9 . _ -",
        text -> SUFFIX.matcher(text).matches() ? text : null);
  }

  /** One of some words. */
  public String oneOf(String name, List<String> words) {
    return read(name, String.join(" or ", words), text -> words.contains(text) ? text : null);
  }

  /** A whole number from {@code least} up. */
  public int count(String name, int least) {
    return read(
        name,
        "a whole number from " + least,
        text -> {
          int value = Integer.parseInt(text);
          return value < least ? null : value;
        });
  }

  /** A number from 0 to 1. */
  public double share(String name) {
    return read(
        name,
        "a number from 0 to 1",
        text -> {
          double value = Double.parseDouble(text);
          return value >= 0 && value <= 1 ? value : null;
        });
  }

  /** A duration such as {@code 500ms}, {@code 2s}, {@code 1m}, {@code 24h} or {@code 7d}. */
  public Duration duration(String name) {
    return read(name, "a duration like 500ms, 2s, 1m, 24h or 7d", Options::parseDuration);
  }

  private static Duration durationOf(long amount, String unit) {
    return switch (unit) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }

  private static Duration parseDuration(String text) {
    Matcher matcher = DURATION.matcher(text);
    return matcher.matches()
        ? durationOf(Long.parseLong(matcher.group(1)), matcher.group(2))
        : null;
  }

  /** The value by {@code reading}, where null or an exception from it means that it is wrong. */
  private <T> T read(String name, String expected, Function<String, T> reading) {
    String text = values.get(name);
    T value = null;
    try {
      value = reading.apply(text);
    } catch (NumberFormatException e) {
      throw wrong(name, expected, text, e);
    }
    if (value == null) {
      throw wrong(name, expected, text, null);
    }
    return value;
  }

  private static IllegalArgumentException wrong(
      String name, String expected, String text, Exception cause) {
    return new IllegalArgumentException(
        DASHES + name + ": must be " + expected + ", not '" + text + "'", cause);
  }
}
