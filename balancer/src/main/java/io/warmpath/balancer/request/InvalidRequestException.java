package io.warmpath.balancer.request;

/** A request that no engine could answer. The message is for the client and quotes no content. */
public final class InvalidRequestException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient String param;

  /**
   * @param param field at fault, or null
   */
  public InvalidRequestException(String message, String param) {
    super(message);
    this.param = param;
  }

  /** Field at fault, or null. */
  public String param() {
    return param;
  }
}
