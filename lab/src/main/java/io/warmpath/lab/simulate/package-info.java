/**
 * The simulator: routing policies over a recorded trace or a generated workload in virtual time,
 * with the very policy code that the balancer runs.
 */
package io.warmpath.lab.simulate;
