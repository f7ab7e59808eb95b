/** Follows the numbered messages of engines: gaps, copies, restarts, and what was missed. */
package io.warmpath.bridge.follow;
