/** Open-loop load from a trace. */
package io.warmpath.lab.replay;
