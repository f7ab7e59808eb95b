package io.warmpath.lab.verify;

/**
 * Windows of one size that the log says nothing sure of, for one reason, and how many records they
 * are.
 *
 * @param kind what is compared
 * @param reason why
 * @param sizeMs length of the window
 * @param endMs end of the window
 * @param records keys in it
 */
public record Undetermined(
    Difference.Kind kind, Reason reason, long sizeMs, long endMs, long records) {}
