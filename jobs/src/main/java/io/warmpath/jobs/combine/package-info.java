/** Adds events up into panes where they are read, before anything travels. */
package io.warmpath.jobs.combine;
