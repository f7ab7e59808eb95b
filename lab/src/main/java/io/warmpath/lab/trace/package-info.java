/** Recorded request traces: readers of the public formats, and their compact form in memory. */
package io.warmpath.lab.trace;
