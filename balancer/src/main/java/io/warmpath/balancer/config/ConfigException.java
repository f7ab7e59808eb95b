package io.warmpath.balancer.config;

/** A file that is no valid configuration; the message names file, line and option. */
public final class ConfigException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  public ConfigException(String message, Throwable cause) {
    super(message, cause);
  }
}
