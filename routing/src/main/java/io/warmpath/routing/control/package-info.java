/** From windows of statistics to routing weights. */
package io.warmpath.routing.control;
