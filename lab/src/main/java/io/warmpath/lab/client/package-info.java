/** A client of OpenAI-compatible servers that measures as a user would. */
package io.warmpath.lab.client;
