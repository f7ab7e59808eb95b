package io.warmpath.console.export;

/**
 * What a router is given for a replica.
 *
 * @param replica the replica and where the router has it
 * @param weight whole number, 0 for none
 * @param share what it stands for
 */
public record RouterWeight(MappedReplica replica, int weight, ReplicaShare share) {}
