/** Reads of a client's request what routing needs, and edits it where measuring needs it. */
package io.warmpath.balancer.request;
