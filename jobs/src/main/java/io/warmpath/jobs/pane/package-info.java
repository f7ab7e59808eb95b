/** One second's figures of one key, mergeable without loss. */
package io.warmpath.jobs.pane;
