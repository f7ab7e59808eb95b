/** A Flink cluster at its REST API, and the states in its savepoints. */
package io.warmpath.lab.flink;
