/** Placeholder. */
package io.warmpath.jobs;
