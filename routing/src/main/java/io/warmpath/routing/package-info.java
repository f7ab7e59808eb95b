/**
 * The pure domain of Warmpath: prefix hashing, block cache, prefix index, routing policies, loss
 * accounting and the control law. No I/O and no clock of its own; time comes in as an argument.
 */
package io.warmpath.routing;
