/**
 * A replica's cache events as a vLLM publishes them: over ZeroMQ, in MessagePack, with vLLM's own
 * block hashes and a socket that replays what a subscriber missed. After {@code
 * vllm/distributed/kv_events.py} and {@code vllm/config/kv_events.py}.
 */
package io.warmpath.replica.kvevents;
