/** The balancer beside other proxies, in front of the same upstreams. */
package io.warmpath.bench.proxy;
