/** Follows topics while they grow, and waits on what appears in them. */
package io.warmpath.lab.follow;
