package io.warmpath.replica.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;

/** A request that is refused, as OpenAI's error object says it. */
public final class ApiException extends RuntimeException {

  private final int status;
  private final String type;
  private final String param;
  private final String code;

  private ApiException(int status, String type, String param, String code, String message) {
    super(message);
    this.status = status;
    this.type = type;
    this.param = param;
    this.code = code;
  }

  /** 400: a field is wrong. The message begins with its name. */
  public static ApiException badField(String field, String problem) {
    return new ApiException(400, "invalid_request_error", field, null, field + " " + problem);
  }

  /** 400: the body as a whole is wrong. */
  public static ApiException badBody(String message) {
    return new ApiException(400, "invalid_request_error", null, null, message);
  }

  /** 400: the body is no JSON; the message says where it fails. */
  public static ApiException notJson(IOException e) {
    if (e instanceof JsonProcessingException json && json.getLocation() != null) {
      return badBody(
          "the body is not JSON: line "
              + json.getLocation().getLineNr()
              + ", column "
              + json.getLocation().getColumnNr());
    }
    return badBody("the body is not JSON in UTF-8");
  }

  /** 400: prompt and answer are longer than the engine can hold. */
  public static ApiException tooLong(String field, String message) {
    return new ApiException(
        400, "invalid_request_error", field, "context_length_exceeded", message);
  }

  /** 404: another model is served here. */
  public static ApiException unknownModel(String model) {
    return new ApiException(
        404,
        "invalid_request_error",
        "model",
        "model_not_found",
        "model '" + model + "' does not exist here");
  }

  /** Any other refusal. */
  public static ApiException of(int status, String message) {
    String type = status >= 500 ? "server_error" : "invalid_request_error";
    return new ApiException(status, type, null, null, message);
  }

  /** HTTP status. */
  public int status() {
    return status;
  }

  /** The error object. */
  public String json() {
    return "{\"error\":{\"message\":"
        + Json.quoted(getMessage())
        + ",\"type\":"
        + Json.quoted(type)
        + ",\"param\":"
        + Json.quoted(param)
        + ",\"code\":"
        + Json.quoted(code)
        + "}}";
  }
}
