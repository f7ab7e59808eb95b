/** Follows Kafka topics: routing weights and cache events. */
package io.warmpath.balancer.follow;
