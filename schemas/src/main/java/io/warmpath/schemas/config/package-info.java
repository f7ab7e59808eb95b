/** Reads YAML so that every complaint can name the line and the option. */
package io.warmpath.schemas.config;
