package io.warmpath.lab.founding;

/**
 * One turn of a conversation.
 *
 * @param number from 1
 * @param text what the user says
 * @param thinkMicros pause before it: after the last answer, or before a worker's first prompt
 * @param outputTokens length of the answer, to be sent as the limit of its tokens
 */
public record Turn(int number, UserText text, long thinkMicros, int outputTokens) {}
