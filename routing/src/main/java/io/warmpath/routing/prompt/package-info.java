/** From text to token ids. */
package io.warmpath.routing.prompt;
