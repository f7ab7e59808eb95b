package io.warmpath.schemas.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The types that fields have. */
public final class FieldTypes {

  private static final Duration LONGEST = Duration.ofDays(30);

  private FieldTypes() {}

  /** A text that is not blank. */
  public static FieldType<String> text() {
    return new Parsed<>("text", "", FieldTypes::notBlank, Function.identity());
  }

  /** A path of a file. */
  public static FieldType<Path> file() {
    return new Parsed<>("file", "", text -> Path.of(notBlank(text)), Path::toString);
  }

  /**
   * A text that means something.
   *
   * @param name the type in the reference
   * @param parser throws {@link IllegalArgumentException} with a sentence of its own
   * @param printer turns a value back to text
   */
  public static <T> FieldType<T> parsed(
      String name, Function<String, T> parser, Function<T, String> printer) {
    return new Parsed<>(name, "", parser, printer);
  }

  /** One of an enumeration's names, in lower case. */
  public static <E extends Enum<E>> FieldType<E> choice(Class<E> values) {
    String names =
        Arrays.stream(values.getEnumConstants())
            .map(FieldTypes::lower)
            .collect(Collectors.joining(" or "));
    return new Parsed<>("choice", names, text -> choose(values, names, text), FieldTypes::lower);
  }

  private static <E extends Enum<E>> E choose(Class<E> values, String names, String text) {
    return Arrays.stream(values.getEnumConstants())
        .filter(value -> lower(value).equals(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(" must be " + names + ": " + text));
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static String notBlank(String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(" must not be empty");
    }
    return value;
  }

  /** A whole number within bounds. */
  public static FieldType<Integer> integer(int least, int most) {
    return new Bounded<>("whole number", least, most, String::valueOf) {
      @Override
      public Integer read(JsonNode node) {
        if (!node.canConvertToInt() || !node.isIntegralNumber()) {
          throw new IllegalArgumentException(" must be a whole number: " + node.asText());
        }
        return node.intValue();
      }
    };
  }

  /** A whole number within bounds that may be greater than an int. */
  public static FieldType<Long> longInteger(long least, long most) {
    return new Bounded<>("whole number", least, most, String::valueOf) {
      @Override
      public Long read(JsonNode node) {
        if (!node.canConvertToLong() || !node.isIntegralNumber()) {
          throw new IllegalArgumentException(" must be a whole number: " + node.asText());
        }
        return node.longValue();
      }
    };
  }

  /** A number within bounds. */
  public static FieldType<Double> decimal(double least, double most) {
    return new Bounded<>("number", least, most, FieldTypes::number) {
      @Override
      public Double read(JsonNode node) {
        if (!node.isNumber()) {
          throw new IllegalArgumentException(" must be a number: " + node.asText());
        }
        return node.doubleValue();
      }
    };
  }

  private static String number(double value) {
    return Double.isFinite(value)
        ? new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString()
        : Double.toString(value);
  }

  /** A length of time with its unit: {@code 500ms}, {@code 2s}, {@code 5m}, {@code 1h}. */
  public static FieldType<Duration> duration(Duration least, Duration most) {
    return new Bounded<>("duration", least, most, Durations::text) {
      @Override
      public Duration read(JsonNode node) {
        return Durations.parse(node.asText());
      }
    };
  }

  /** A length of time that may be none at all. */
  public static FieldType<Duration> time() {
    return duration(Duration.ZERO, LONGEST);
  }

  /** A length of time after which something has taken too long. */
  public static FieldType<Duration> timeout() {
    return duration(Duration.ofMillis(1), LONGEST);
  }

  /** A truth value. */
  public static FieldType<Boolean> truth() {
    return new Truth();
  }

  /** A text with a meaning. */
  private record Parsed<T>(
      String name, String range, Function<String, T> parser, Function<T, String> printer)
      implements FieldType<T> {

    @Override
    public T read(JsonNode node) {
      // What YAML takes for a number or a truth value would not always come back as it was written.
      if (!node.isTextual()) {
        throw new IllegalArgumentException(" must be a text; put it in quotes: " + node.asText());
      }
      return parse(node.asText());
    }

    private T parse(String text) {
      try {
        return parser.apply(text);
      } catch (IllegalArgumentException e) {
        String message = e.getMessage();
        throw new IllegalArgumentException(message.startsWith(" ") ? message : ": " + message, e);
      }
    }

    @Override
    public void check(T value) {
      parse(printer.apply(value));
    }

    @Override
    public String text(T value) {
      return printer.apply(value);
    }
  }

  private record Truth() implements FieldType<Boolean> {

    @Override
    public String name() {
      return "true or false";
    }

    @Override
    public String range() {
      return "";
    }

    @Override
    public Boolean read(JsonNode node) {
      if (!node.isBoolean()) {
        throw new IllegalArgumentException(" must be true or false: " + node.asText());
      }
      return node.booleanValue();
    }

    @Override
    public void check(Boolean value) {}

    @Override
    public String text(Boolean value) {
      return value.toString();
    }
  }

  private abstract static class Bounded<T extends Comparable<T>> implements FieldType<T> {

    private final String name;
    private final T least;
    private final T most;
    private final Function<T, String> printer;

    Bounded(String name, T least, T most, Function<T, String> printer) {
      this.name = name;
      this.least = least;
      this.most = most;
      this.printer = printer;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public String range() {
      return printer.apply(least) + " to " + printer.apply(most);
    }

    @Override
    public void check(T value) {
      if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
        throw new IllegalArgumentException(" must be " + range() + ": " + text(value));
      }
    }

    @Override
    public String text(T value) {
      return printer.apply(value);
    }
  }
}
