/** Says what became of each request, without ever making one wait. */
package io.warmpath.balancer.events;
