/** Panes merged into windows, and windows into ordered rows. */
package io.warmpath.jobs.window;
