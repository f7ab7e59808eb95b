/** Decides which replica gets a request, and accounts for what the replicas have to do. */
package io.warmpath.balancer.decision;
