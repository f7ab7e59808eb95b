package io.warmpath.lab.topics;

/**
 * How an existing topic differs from what Warmpath needs.
 *
 * @param topic its name
 * @param setting what differs, by Kafka's name
 * @param expected what it should be
 * @param found what it is
 */
public record TopicDifference(String topic, String setting, String expected, String found) {

  @Override
  public String toString() {
    return topic + ": " + setting + " is " + found + ", expected " + expected;
  }
}
