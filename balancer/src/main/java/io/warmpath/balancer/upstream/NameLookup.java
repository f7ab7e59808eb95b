package io.warmpath.balancer.upstream;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Looks up the addresses of a name. */
@FunctionalInterface
public interface NameLookup {

  /** The machine's resolver, through the JVM's cache ({@code networkaddress.cache.ttl}). */
  NameLookup SYSTEM = host -> List.of(InetAddress.getAllByName(host));

  /**
   * All addresses, A and AAAA.
   *
   * @throws UnknownHostException if it has none or none can be found at the moment
   */
  List<InetAddress> addresses(String host) throws UnknownHostException;
}
