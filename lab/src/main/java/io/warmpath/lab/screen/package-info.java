/** Output for people. */
package io.warmpath.lab.screen;
