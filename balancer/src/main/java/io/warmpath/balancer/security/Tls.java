package io.warmpath.balancer.security;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import javax.net.ssl.SSLException;

/** Makes contexts for TLS 1.2 and 1.3 from the contents of PEM files. */
public final class Tls {

  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  /** What a server speaks over TLS; a client that names neither gets HTTP/1.1. */
  private static final ApplicationProtocolConfig HTTP =
      new ApplicationProtocolConfig(
          ApplicationProtocolConfig.Protocol.ALPN,
          ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
          ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
          ApplicationProtocolNames.HTTP_2,
          ApplicationProtocolNames.HTTP_1_1);

  /**
   * A certificate and its private key.
   *
   * @param certificates PEM, one's own first, then those that signed it
   * @param key PEM, PKCS#8 without a password
   */
  public record Identity(byte[] certificates, byte[] key) {}

  private Tls() {}

  /**
   * A context of a server that speaks HTTP/2 and HTTP/1.1.
   *
   * @param clientCa PEM of who signs clients' certificates, which they then need; null for none
   * @throws IllegalArgumentException if any of them is no such thing
   */
  public static SslContext server(Identity identity, byte[] clientCa) {
    return server(identity, clientCa, HTTP);
  }

  /** The same of a server that speaks HTTP/1.1 only. */
  public static SslContext http1Server(Identity identity, byte[] clientCa) {
    return server(identity, clientCa, ApplicationProtocolConfig.DISABLED);
  }

  private static SslContext server(
      Identity identity, byte[] clientCa, ApplicationProtocolConfig protocols) {
    try {
      SslContextBuilder builder =
          SslContextBuilder.forServer(in(identity.certificates()), in(identity.key()))
              .sslProvider(SslProvider.JDK)
              .protocols(PROTOCOLS)
              .applicationProtocolConfig(protocols);
      if (clientCa != null) {
        builder.trustManager(in(clientCa)).clientAuth(ClientAuth.REQUIRE);
      }
      return builder.build();
    } catch (SSLException | IllegalArgumentException e) {
      throw refused(e);
    }
  }

  /**
   * A client's context; it checks that a server's certificate is for the host asked for.
   *
   * @param ca PEM of who signs servers' certificates; null for those that Java trusts
   * @param identity what servers see; null for nothing
   * @throws IllegalArgumentException if any of them is no such thing
   */
  public static SslContext client(byte[] ca, Identity identity) {
    try {
      SslContextBuilder builder =
          SslContextBuilder.forClient()
              .sslProvider(SslProvider.JDK)
              .protocols(PROTOCOLS)
              .endpointIdentificationAlgorithm("HTTPS");
      if (ca != null) {
        builder.trustManager(in(ca));
      }
      if (identity != null) {
        builder.keyManager(in(identity.certificates()), in(identity.key()));
      }
      return builder.build();
    } catch (SSLException | IllegalArgumentException e) {
      throw refused(e);
    }
  }

  private static InputStream in(byte[] bytes) {
    return new ByteArrayInputStream(bytes);
  }

  private static IllegalArgumentException refused(Exception e) {
    return new IllegalArgumentException(
        "the PEM files do not make a context for TLS: " + e.getMessage(), e);
  }
}
