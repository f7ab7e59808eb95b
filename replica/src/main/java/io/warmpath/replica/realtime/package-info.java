/** Runs the modelled engine in real time: one thread a replica, on an absolute timeline. */
package io.warmpath.replica.realtime;
