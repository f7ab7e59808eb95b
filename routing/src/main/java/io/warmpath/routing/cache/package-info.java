/** The LRU block cache that models a replica. */
package io.warmpath.routing.cache;
