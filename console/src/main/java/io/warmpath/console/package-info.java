/** Placeholder. */
package io.warmpath.console;
