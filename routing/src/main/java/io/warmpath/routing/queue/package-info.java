/** What a simulated replica has open. */
package io.warmpath.routing.queue;
