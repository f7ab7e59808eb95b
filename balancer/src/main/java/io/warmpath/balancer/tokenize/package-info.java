/** Asks engines for the tokens of prompts, and watches whether they count as the balancer does. */
package io.warmpath.balancer.tokenize;
