/** How values lie in state and travel between operators, without Kryo. */
package io.warmpath.jobs.types;
