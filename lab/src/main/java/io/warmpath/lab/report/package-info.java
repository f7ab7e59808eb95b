/**
 * Reports as one HTML page each: text, tables and charts in it, light and dark, for the screen and
 * for paper. A page asks no host for anything, and whatever it shows is escaped.
 */
package io.warmpath.lab.report;
