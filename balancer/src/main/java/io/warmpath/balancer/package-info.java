/** Placeholder. */
package io.warmpath.balancer;
