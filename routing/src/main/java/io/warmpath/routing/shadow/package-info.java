/** What other policies would have given on the same traffic, from a sample of its blocks. */
package io.warmpath.routing.shadow;
