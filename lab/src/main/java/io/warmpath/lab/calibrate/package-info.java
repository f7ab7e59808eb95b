/**
 * Measures how long an engine takes and fits the constants of a profile to it: the same probes in
 * virtual time and against live servers.
 */
package io.warmpath.lab.calibrate;
