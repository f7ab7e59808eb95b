/** What operators ask of a running balancer. */
package io.warmpath.balancer.admin;
