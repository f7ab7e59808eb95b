/** Creates the topics of Warmpath, and checks those that exist. */
package io.warmpath.lab.topics;
