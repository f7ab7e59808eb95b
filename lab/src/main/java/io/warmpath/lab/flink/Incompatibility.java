package io.warmpath.lab.flink;

/**
 * State of a running job that a candidate cannot take over.
 *
 * @param operator uid of the operator
 * @param state name of the state; null if it is all of the operator's
 * @param reason what is wrong with it
 */
public record Incompatibility(String operator, String state, String reason) {

  @Override
  public String toString() {
    return state == null
        ? "operator " + operator + ": " + reason
        : "state " + state + " of operator " + operator + ": " + reason;
  }
}
