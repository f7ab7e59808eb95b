/** Sockets to engines, all on one thread. */
package io.warmpath.bridge.zmq;
