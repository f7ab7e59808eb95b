package io.warmpath.balancer.prompt;

/**
 * One message of a chat.
 *
 * @param role role, empty if there is none
 * @param content its text, all text parts joined; empty if there is none
 */
public record ChatMessage(String role, String content) {

  @Override
  public String toString() {
    return "ChatMessage[" + role + ", " + content.length() + " characters]";
  }
}
