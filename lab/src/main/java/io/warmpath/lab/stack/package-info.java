/** The whole of Warmpath in one process. */
package io.warmpath.lab.stack;
