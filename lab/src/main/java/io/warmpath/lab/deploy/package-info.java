/** Brings a new version of a job onto a Flink cluster, or leaves the old one as it is. */
package io.warmpath.lab.deploy;
