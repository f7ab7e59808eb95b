/**
 * Brings what real engines say of their KV caches to Kafka: the events that vLLM, SGLang and
 * TensorRT-LLM publish over ZeroMQ, and the counters of their {@code /metrics}.
 */
package io.warmpath.bridge;
