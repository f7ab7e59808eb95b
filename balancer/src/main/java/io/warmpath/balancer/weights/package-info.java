/** Follows the published routing weights and their lease. */
package io.warmpath.balancer.weights;
