/** The {@code warmpath bench} commands. */
package io.warmpath.bench.cli;
