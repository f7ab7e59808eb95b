package io.warmpath.lab.deploy;

/** A job that does not run as it should, or a savepoint that did not come; with the reason. */
final class JobFailed extends Exception {

  private static final long serialVersionUID = 1L;

  JobFailed(String reason) {
    super(reason);
  }
}
