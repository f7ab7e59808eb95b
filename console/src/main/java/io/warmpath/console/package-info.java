/**
 * The live page and the Prometheus exporter: follows the result topics, keeps the newest windows
 * and weights, and serves both from one HTTP server.
 */
package io.warmpath.console;
