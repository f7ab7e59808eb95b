/** Distributions of durations that merge in any order. */
package io.warmpath.routing.measure;
