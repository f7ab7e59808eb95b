package io.warmpath.console.export;

import java.util.function.Function;

/**
 * The {@code server} lines of an nginx {@code upstream}; all else of it stays where it is. A
 * drained replica stays as {@code down}, as 0 is no weight there.
 *
 * @param model whose replicas, for the comment
 * @param parameters of each server; empty for none
 */
record NginxServers(String model, String parameters) implements Function<RouterWeights, String> {

  @Override
  public String apply(RouterWeights weights) {
    StringBuilder text = new StringBuilder("# Written by warmpath export for ");
    // A line break in a model's name would end the comment.
    text.append(model.replaceAll("\\p{Cntrl}", " ")).append("; changes here are lost.\n");
    for (RouterWeight one : weights.replicas()) {
      text.append("server ").append(address(one.replica()));
      text.append(" weight=").append(Math.max(1, one.weight()));
      text.append(parameters.isEmpty() ? "" : " " + parameters);
      text.append(one.weight() == 0 ? " down" : "").append(";\n");
    }
    return text.toString();
  }

  private static String address(MappedReplica replica) {
    String host = replica.host();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + replica.port();
  }
}
