package io.warmpath.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A deployment that was run.
 *
 * @param exitCode its exit code
 * @param output what it said
 * @param json what it wrote for machines
 */
record DeployRun(int exitCode, String output, JsonNode json) {}
