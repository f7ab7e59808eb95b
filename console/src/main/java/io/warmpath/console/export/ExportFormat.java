package io.warmpath.console.export;

/** Routers that weights can be exported to. */
public enum ExportFormat {
  /** A file of endpoints (EDS) that Envoy watches. */
  ENVOY_EDS("envoy-eds"),
  /** HAProxy's runtime API. */
  HAPROXY("haproxy"),
  /** The servers of an nginx {@code upstream}, in a file that it includes. */
  NGINX("nginx"),
  /** An {@code HTTPRoute} of the Kubernetes Gateway API, with the weights of its backends. */
  GATEWAY_HTTPROUTE("gateway-httproute");

  private final String name;

  ExportFormat(String name) {
    this.name = name;
  }

  /** As on the command line. */
  @Override
  public String toString() {
    return name;
  }
}
