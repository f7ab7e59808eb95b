/** Placeholder. */
package io.warmpath.lab;
