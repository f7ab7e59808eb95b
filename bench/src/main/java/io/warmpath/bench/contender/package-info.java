/** What all programs have in common that are measured side by side. */
package io.warmpath.bench.contender;
