/** The {@code warmpath} command. */
package io.warmpath.lab.cli;
