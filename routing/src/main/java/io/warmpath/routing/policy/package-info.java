/** Routing policies and the load bound. */
package io.warmpath.routing.policy;
