/** Request events that no balancer sent, for load and benchmarks. */
package io.warmpath.lab.synthetic;
