/** The replicas as HTTP servers: connections, health. */
package io.warmpath.balancer.upstream;
