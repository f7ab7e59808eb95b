package io.warmpath.balancer;

import io.netty.util.NetUtil;
import io.warmpath.balancer.upstream.NameLookup;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicas of one model: those that are listed, or those that its name in DNS has at the
 * moment. While the name cannot be looked up the last ones stay: an outage of DNS is none of the
 * replicas. One caller at a time.
 */
final class ReplicaSource {

  private static final Logger LOG = LoggerFactory.getLogger(ReplicaSource.class);

  private final NameLookup names;
  private final LongSupplier nanoTime;
  private ModelConfig model;
  private List<ReplicaAddress> last = List.of();
  private long lookedUpNanos;
  private boolean failing;
  private volatile long failures;

  ReplicaSource(ModelConfig model, NameLookup names, LongSupplier nanoTime) {
    this.names = names;
    this.nanoTime = nanoTime;
    follow(model);
  }

  /** Goes by another configuration of the model. */
  void follow(ModelConfig next) {
    DnsReplicas before = model == null ? null : model.dns();
    model = next;
    if (next.dns() == null) {
      last = next.replicas();
    } else if (!next.dns().equals(before)) {
      lookUp();
    }
  }

  /** The replicas as they are known now. */
  List<ReplicaAddress> replicas() {
    return last;
  }

  /** Looks the name up if it is time to. */
  void refresh() {
    DnsReplicas dns = model.dns();
    if (dns != null && nanoTime.getAsLong() - lookedUpNanos >= dns.refresh().toNanos()) {
      lookUp();
    }
  }

  /** Lookups that failed so far. */
  long failures() {
    return failures;
  }

  private void lookUp() {
    DnsReplicas dns = model.dns();
    lookedUpNanos = nanoTime.getAsLong();
    try {
      last =
          names.addresses(dns.host()).stream()
              .map(address -> replica(address, dns.port()))
              .distinct()
              .sorted(Comparator.comparing(ReplicaAddress::name))
              .toList();
      failing = false;
    } catch (UnknownHostException e) {
      failures++;
      if (!failing) {
        failing = true;
        LOG.warn("{}: cannot look up {}, the replicas stay: {}", model.name(), dns.host(), last);
      }
    }
  }

  /** Named by its address and port, as Prometheus names what it scrapes. */
  private static ReplicaAddress replica(InetAddress address, int port) {
    String name = NetUtil.toSocketAddressString(NetUtil.toAddressString(address), port);
    return new ReplicaAddress(name, URI.create("http://" + name));
  }
}
