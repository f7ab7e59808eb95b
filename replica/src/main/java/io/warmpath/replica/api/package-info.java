/** OpenAI's protocol: reading requests, making up answers, writing responses and streams. */
package io.warmpath.replica.api;
