package io.warmpath.replica.api;

/** One message of a chat; content parts are joined, and no content is the empty text. */
record ChatMessage(String role, String content) {}
