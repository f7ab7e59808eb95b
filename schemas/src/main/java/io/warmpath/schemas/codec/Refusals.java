package io.warmpath.schemas.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.DatabindException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.InvalidNullException;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import io.warmpath.schemas.codec.InvalidRecordException.Reason;
import java.util.stream.Collectors;

/** Turns what Jackson and the records throw into the closed list of reasons, by type alone. */
final class Refusals {

  /** Longer messages quote too much of the record. */
  private static final int MAX_MESSAGE_CHARS = 300;

  private Refusals() {}

  /** The refusal of a record of the given schema. */
  static InvalidRecordException of(String schema, Exception thrown) {
    Throwable root = thrown;
    while (!(root instanceof InvalidRecordException) && root.getCause() != null) {
      root = root.getCause();
    }
    Reason reason =
        root instanceof InvalidRecordException invalid ? invalid.reason() : reasonOf(root);
    return new InvalidRecordException(reason, schema + ": " + where(thrown) + text(root), thrown);
  }

  private static Reason reasonOf(Throwable root) {
    if (root instanceof InvalidTypeIdException typeId) {
      return typeId.getTypeId() == null ? Reason.MISSING_FIELD : Reason.UNKNOWN_TYPE;
    }
    if (root instanceof InvalidNullException) {
      return Reason.MISSING_FIELD;
    }
    if (root instanceof InputCoercionException) {
      return Reason.OUT_OF_RANGE;
    }
    if (root instanceof InvalidFormatException format) {
      boolean unknownWord = format.getTargetType().isEnum() && format.getValue() instanceof String;
      return unknownWord ? Reason.UNKNOWN_TYPE : Reason.BAD_TYPE;
    }
    // Other faults of binding, and values that a factory of ours refused.
    if (root instanceof DatabindException || root instanceof RuntimeException) {
      return Reason.BAD_TYPE;
    }
    return Reason.NOT_JSON;
  }

  /** The path of the field, or nothing where none is known. */
  private static String where(Throwable thrown) {
    if (!(thrown instanceof JsonMappingException mapping) || mapping.getPath().isEmpty()) {
      return "";
    }
    return mapping.getPath().stream()
        .map(
            step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : step.getFieldName())
        .collect(Collectors.joining(".", "", ": "));
  }

  private static String text(Throwable root) {
    String message =
        String.valueOf(
            root instanceof JsonProcessingException json
                ? json.getOriginalMessage()
                : root.getMessage());
    return message.length() <= MAX_MESSAGE_CHARS
        ? message
        : message.substring(0, MAX_MESSAGE_CHARS) + "…";
  }
}
