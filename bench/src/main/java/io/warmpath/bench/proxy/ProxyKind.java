package io.warmpath.bench.proxy;

/** Who stands between the clients and the upstreams. */
public enum ProxyKind {
  DIRECT("nobody (direct)"),
  BALANCER("Warmpath"),
  NGINX("nginx"),
  HAPROXY("HAProxy");

  private final String label;

  ProxyKind(String label) {
    this.label = label;
  }

  /** Its name for people. */
  public String label() {
    return label;
  }
}
