package io.warmpath.schemas.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DatabindException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.warmpath.schemas.WarmpathRecord;
import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Reads and writes one kind of record as a JSON object. One reader and one writer are built per
 * kind and shared by all threads.
 *
 * <p>Readers ignore unknown fields and refuse an unknown {@code v}; whatever they refuse, they
 * refuse with an {@link InvalidRecordException} that names the reason.
 *
 * @param <T> the kind of record
 */
public final class JsonCodec<T extends WarmpathRecord> {

  private static final int MAX_NESTING = 32;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(MAX_NESTING).build())
                  .build())
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build();

  private final String schema;
  private final int maxBytes;
  private final ObjectReader reader;
  private final ObjectWriter writer;

  JsonCodec(String schema, Class<T> type, int maxBytes) {
    this.schema = schema;
    this.maxBytes = maxBytes;
    this.reader = MAPPER.readerFor(type);
    this.writer = MAPPER.writerFor(type);
  }

  /** Name and version of the schema, as the {@code schema} header of each record carries it. */
  public String schema() {
    return schema;
  }

  /** The record as UTF-8 JSON, fields in their fixed order. */
  public byte[] encode(T record) {
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
    try {
      requireKnownVersion(bytes);
      T record = reader.readValue(bytes);
      if (record == null) {
        throw new InvalidRecordException(Reason.NOT_JSON, schema + ": not a JSON object");
      }
      return record;
    } catch (IOException e) {
      throw refusal(e);
    }
  }

  private void requireKnownVersion(byte[] bytes) throws IOException {
    try (JsonParser parser = MAPPER.createParser(bytes)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new InvalidRecordException(Reason.NOT_JSON, schema + ": not a JSON object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean isVersion = parser.currentName().equals("v");
        JsonToken value = parser.nextToken();
        if (isVersion) {
          if (value != JsonToken.VALUE_NUMBER_INT
              || parser.getLongValue() != WarmpathRecord.VERSION) {
            throw new InvalidRecordException(
                Reason.UNKNOWN_VERSION, schema + ": v is " + parser.getText() + ", not 1");
          }
          return;
        }
        parser.skipChildren();
      }
    }
    throw new InvalidRecordException(Reason.UNKNOWN_VERSION, schema + ": v is missing");
  }

  private InvalidRecordException refusal(IOException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof InvalidRecordException invalid) {
        return invalid;
      }
    }
    String message =
        schema
            + ": "
            + (e instanceof JsonProcessingException j ? j.getOriginalMessage() : e.getMessage());
    return new InvalidRecordException(reasonOf(e), message, e);
  }

  private static Reason reasonOf(IOException e) {
    if (e instanceof InvalidTypeIdException typeId) {
      return typeId.getTypeId() == null ? Reason.MISSING_FIELD : Reason.UNKNOWN_TYPE;
    }
    if (e instanceof DatabindException d && !(d.getCause() instanceof JsonParseException)) {
      String message = String.valueOf(d.getOriginalMessage());
      if (message.contains("not one of the values accepted for Enum")) {
        return Reason.UNKNOWN_TYPE;
      }
      if (message.contains("Cannot map `null` into type")) {
        return Reason.MISSING_FIELD;
      }
      return message.contains("out of range") ? Reason.OUT_OF_RANGE : Reason.BAD_TYPE;
    }
    if (e instanceof StreamConstraintsException) {
      return Reason.NOT_JSON;
    }
    return String.valueOf(e.getMessage()).contains("out of range")
        ? Reason.OUT_OF_RANGE
        : Reason.NOT_JSON;
  }
}
