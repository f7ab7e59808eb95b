/**
 * The founding experiment: its workload, as text for real replicas and as lengths for simulated
 * ones, its published figures, and what the model gives over many seeds. See
 * docs/founding-experiment.md.
 */
package io.warmpath.lab.founding;
