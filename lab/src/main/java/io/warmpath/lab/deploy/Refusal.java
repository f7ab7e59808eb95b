package io.warmpath.lab.deploy;

/** A candidate that is not fit to follow the running job; the message says why. */
final class Refusal extends Exception {

  private static final long serialVersionUID = 1L;

  Refusal(String reason) {
    super(reason);
  }
}
