/** Replays the event log, and compares what comes out with what the jobs have published. */
package io.warmpath.lab.verify;
