/** What engines publish of their KV caches, decoded from every encoding that is known of it. */
package io.warmpath.bridge.wire;
