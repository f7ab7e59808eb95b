package io.warmpath.lab.stack;

/**
 * Ports of a stack, all on loopback; 0 takes a free one.
 *
 * @param kafka the broker
 * @param balancer where clients connect
 * @param admin the balancer's admin and metrics
 * @param console the live page
 * @param firstReplica the first replica; the others follow it, or are free as well
 */
public record StackPorts(int kafka, int balancer, int admin, int console, int firstReplica) {

  /** The ports that the documentation names. */
  public static final StackPorts STANDARD = new StackPorts(9092, 8080, 8081, 8090, 9001);

  /** Free ones, for stacks that run beside others. */
  public static final StackPorts FREE = new StackPorts(0, 0, 0, 0, 0);

  StackPorts withBalancer(int balancerPort, int adminPort) {
    return new StackPorts(kafka, balancerPort, adminPort, console, firstReplica);
  }

  int replica(int index) {
    return firstReplica == 0 ? 0 : firstReplica + index;
  }
}
