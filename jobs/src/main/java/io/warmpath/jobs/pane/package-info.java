/** Events added up into panes of one second, before anything travels. */
package io.warmpath.jobs.pane;
