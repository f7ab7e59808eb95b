package io.warmpath.schemas.topic;

/** Names and values of the headers that each Kafka record of Warmpath carries. */
public final class RecordHeaders {

  public static final String CONTENT_TYPE = "content-type";

  /** The only value of {@link #CONTENT_TYPE}. */
  public static final String JSON = "application/json";

  /** Name and version of the record's schema, as {@code JsonCodec.schema()} gives it. */
  public static final String SCHEMA = "schema";

  /** W3C trace context of the request, where it is known. */
  public static final String TRACEPARENT = "traceparent";

  private RecordHeaders() {}
}
