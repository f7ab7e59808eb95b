/** Shadow policies as an operator. */
package io.warmpath.jobs.shadow;
