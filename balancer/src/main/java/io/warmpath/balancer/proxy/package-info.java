/** Takes requests from clients, brings them to replicas and the answers back. */
package io.warmpath.balancer.proxy;
