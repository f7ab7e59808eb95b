/** Who may ask the balancer for what, and how connections are encrypted. */
package io.warmpath.balancer.security;
