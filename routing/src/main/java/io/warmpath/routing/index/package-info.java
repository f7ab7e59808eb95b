/** Which replica holds which prefix. */
package io.warmpath.routing.index;
