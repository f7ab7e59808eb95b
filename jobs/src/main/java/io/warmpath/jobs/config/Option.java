package io.warmpath.jobs.config;

/**
 * An option of a job, given as {@code --name value} or {@code --name=value}.
 *
 * @param name its name without dashes
 * @param defaultValue what holds when it is not given; null where it must be given
 * @param meaning one line for {@code --help}
 */
public record Option(String name, String defaultValue, String meaning) {}
