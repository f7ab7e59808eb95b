/** Where the tokens of a prompt went. */
package io.warmpath.routing.loss;
