/** Faults that a replica is told to have, at run time. */
package io.warmpath.replica.fault;
