package io.warmpath.lab.deploy;

/**
 * A final result of one key and window.
 *
 * @param group whose windows these are, and how long they are: one after the other
 * @param key what tells the result from all others of its topic
 * @param endMs end of the window
 */
record ResultRow(String group, String key, long endMs) {}
