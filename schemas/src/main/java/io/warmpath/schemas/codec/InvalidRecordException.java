package io.warmpath.schemas.codec;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Bytes or values that are no valid record of their topic, with a reason from a closed list. */
public final class InvalidRecordException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Why a record was refused; the lower-case name is what dead letters and metrics carry. */
  public enum Reason {
    /** No bytes at all: an empty value or a tombstone where none is expected. */
    EMPTY,
    /** Larger than a record of this topic may be. */
    TOO_LARGE,
    /** Not one well-formed JSON object in UTF-8, or nested too deeply. */
    NOT_JSON,
    /** {@code v} is absent or none that this reader knows. */
    UNKNOWN_VERSION,
    /** {@code type}, {@code outcome} or another word from a closed list is unknown. */
    UNKNOWN_TYPE,
    /** A field that must be there is absent or null. */
    MISSING_FIELD,
    /** A field holds a value of another JSON type, or text that cannot be decoded. */
    BAD_TYPE,
    /** A number is negative, not finite or beyond its range. */
    OUT_OF_RANGE;

    @JsonValue
    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Reason reason;

  public InvalidRecordException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public InvalidRecordException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
