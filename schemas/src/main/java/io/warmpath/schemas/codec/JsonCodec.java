package io.warmpath.schemas.codec;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;

/**
 * Reads and writes one kind of record as a JSON object. One reader and one writer are built per
 * kind and shared by all threads.
 *
 * <p>Readers ignore unknown fields and refuse an unknown {@code v}; whatever they refuse, they
 * refuse with an {@link InvalidRecordException} that names the reason. They are stricter than
 * Jackson's defaults: no coercion between JSON types, no duplicate names, nothing after the object,
 * valid UTF-8 only, {@value #MAX_NESTING} levels of nesting at most.
 *
 * @param <T> the kind of record
 */
public final class JsonCodec<T extends WarmpathRecord> {

  private static final int MAX_NESTING = 32;
  private static final String KNOWN_VERSION = Integer.toString(WarmpathRecord.VERSION);

  private static final JsonMapper MAPPER = strictMapper();

  private final String schema;
  private final Class<T> type;
  private final int maxBytes;
  private final ObjectReader reader;
  private final ObjectWriter writer;
  private final Function<T, byte[]> fastWriter;

  JsonCodec(String schema, Class<T> type, int maxBytes) {
    this(schema, type, maxBytes, record -> null);
  }

  /**
   * @param fastWriter writes a record as binding does, or gives null and leaves it to binding
   */
  JsonCodec(String schema, Class<T> type, int maxBytes, Function<T, byte[]> fastWriter) {
    this.schema = schema;
    this.type = type;
    this.maxBytes = maxBytes;
    this.reader = MAPPER.readerFor(type);
    this.writer = MAPPER.writerFor(type);
    this.fastWriter = fastWriter;
  }

  /** Name and version of the schema, as the {@code schema} header of each record carries it. */
  public String schema() {
    return schema;
  }

  /** Resource path of the JSON Schema file that describes the records. */
  public String schemaResource() {
    return "/schemas/" + schema.substring(0, schema.indexOf('/')) + ".schema.json";
  }

  /** The kind of record. */
  public Class<T> type() {
    return type;
  }

  /** Size of the largest record that is read, in bytes. */
  public int maxBytes() {
    return maxBytes;
  }

  /** The record as UTF-8 JSON, fields in their fixed order. */
  public byte[] encode(T record) {
    byte[] written = fastWriter.apply(record);
    return written != null ? written : bind(record);
  }

  /** The same by binding alone. */
  byte[] bind(T record) {
    try {
      return writer.writeValueAsBytes(record);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("cannot encode a " + schema, e);
    }
  }

  /**
   * The record in {@code bytes}.
   *
   * @throws InvalidRecordException if the bytes are no valid record of this kind
   */
  public T decode(byte[] bytes) {
    if (bytes == null || bytes.length == 0) {
      throw new InvalidRecordException(Reason.EMPTY, schema + ": no bytes");
    }
    if (bytes.length > maxBytes) {
      throw new InvalidRecordException(
          Reason.TOO_LARGE, schema + ": " + bytes.length + " bytes, at most " + maxBytes);
    }
    if (!Utf8.isValid(bytes)) {
      throw new InvalidRecordException(Reason.NOT_JSON, schema + ": not UTF-8");
    }
    try {
      requireKnownVersion(bytes);
      return read(bytes);
    } catch (IOException | RuntimeException e) {
      // Unchecked ones too: a reader outlives whatever bytes it is given.
      throw Refusals.of(schema, e);
    }
  }

  private T read(byte[] bytes) throws IOException {
    try (JsonParser parser = MAPPER.createParser(bytes)) {
      T record = reader.readValue(parser);
      if (parser.nextToken() != null) {
        throw new InvalidRecordException(Reason.NOT_JSON, "more follows the object");
      }
      return record;
    }
  }

  /** Before anything else, so that a later version is called that, whatever else it changed. */
  private void requireKnownVersion(byte[] bytes) throws IOException {
    try (JsonParser parser = MAPPER.createParser(bytes)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new InvalidRecordException(Reason.NOT_JSON, "not an object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean isVersion = parser.currentName().equals("v");
        JsonToken value = parser.nextToken();
        if (isVersion) {
          if (value != JsonToken.VALUE_NUMBER_INT || !parser.getText().equals(KNOWN_VERSION)) {
            throw new InvalidRecordException(
                Reason.UNKNOWN_VERSION, "v is not the number " + KNOWN_VERSION);
          }
          return;
        }
        parser.skipChildren();
      }
    }
    throw new InvalidRecordException(Reason.UNKNOWN_VERSION, "v is missing");
  }

  private static JsonMapper strictMapper() {
    JsonMapper.Builder mapper =
        JsonMapper.builder(
                JsonFactory.builder()
                    .streamReadConstraints(
                        StreamReadConstraints.builder().maxNestingDepth(MAX_NESTING).build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .withCoercionConfig(
                LogicalType.Textual,
                text -> {
                  text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
                  text.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
                  text.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
                });
    // A primitive that is null or absent is a missing field, with an exception of its own.
    for (Class<?> primitive : List.of(int.class, long.class, double.class, boolean.class)) {
      mapper.withConfigOverride(
          primitive, field -> field.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.FAIL)));
    }
    return mapper.build();
  }
}
