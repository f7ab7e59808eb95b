/** The control law as an operator. */
package io.warmpath.jobs.weights;
