package io.warmpath.balancer.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.handler.ssl.SslContext;
import io.warmpath.balancer.fixture.Certificates;
import io.warmpath.balancer.fixture.Chunks;
import io.warmpath.balancer.fixture.FakeReplica;
import io.warmpath.balancer.fixture.TestBalancer;
import io.warmpath.balancer.security.Tls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {

  private static final char[] NO_PASSWORD = new char[0];

  private static Tls.Identity server;
  private static Tls.Identity client;
  private static Tls.Identity elsewhere;

  @BeforeAll
  static void make(@TempDir Path folder) {
    server = Certificates.of(folder, "ip:127.0.0.1");
    client = Certificates.of(folder, "dns:client");
    elsewhere = Certificates.of(folder, "ip:10.9.8.7");
  }

  @Test
  void clientsSpeakTls() throws Exception {
    try (FakeReplica replica = streaming(null);
        TestBalancer balancer =
            TestBalancer.with(config -> config.listenTls(Tls.server(server, null)), replica)) {
      for (HttpClient.Version version : HttpClient.Version.values()) {
        HttpResponse<String> answer = chat(balancer, context(server, null), version);
        assertEquals(Chunks.ANSWER, answer.body());
        assertEquals(version, answer.version());
      }
      assertThrows(IOException.class, () -> balancer.chat(true), "without TLS");
    }
  }

  @Test
  void aRefusalReachesAClientThatStillSends() throws Exception {
    try (FakeReplica replica = streaming(null);
        TestBalancer balancer =
            TestBalancer.with(
                config -> config.listenTls(Tls.server(server, null)).limits(new Limits(1000, 4096)),
                replica);
        Socket socket =
            context(server, null).getSocketFactory().createSocket("127.0.0.1", balancer.port())) {
      int length = 4 << 20;
      String head = "POST /v1/completions HTTP/1.1\r\nhost: x\r\ncontent-length: " + length;
      socket.getOutputStream().write((head + "\r\n\r\n" + "x".repeat(length)).getBytes());
      byte[] answer = socket.getInputStream().readNBytes(12);
      assertEquals("HTTP/1.1 413", new String(answer));
    }
  }

  @Test
  void clientsNeedACertificateWhereOneIsAskedFor() throws Exception {
    SslContext both = Tls.server(server, client.certificates());
    try (FakeReplica replica = streaming(null);
        TestBalancer balancer = TestBalancer.with(config -> config.listenTls(both), replica)) {
      assertEquals(Chunks.ANSWER, chat(balancer, context(server, client)));
      assertThrows(IOException.class, () -> chat(balancer, context(server, null)));
      assertThrows(IOException.class, () -> chat(balancer, context(server, elsewhere)));
    }
  }

  @Test
  void replicasSpeakTls() throws Exception {
    SslContext trusting = Tls.client(server.certificates(), client);
    try (FakeReplica replica = streaming(Tls.server(server, client.certificates()));
        TestBalancer balancer =
            TestBalancer.with(config -> config.upstreamTls(trusting), replica)) {
      assertEquals(Chunks.ANSWER, balancer.chat(true).body());
      assertEquals(Chunks.ANSWER, balancer.chat(true).body());
      assertEquals(1, replica.connections());
    }
  }

  @Test
  void replicasMustBeWhoTheyAreTakenFor() throws Exception {
    try (FakeReplica replica = streaming(Tls.server(elsewhere, null))) {
      refused(replica, Tls.client(elsewhere.certificates(), null), "another address");
      refused(replica, Tls.client(server.certificates(), null), "another signer");
    }
  }

  @Test
  void replicasThatAskForACertificateGetOneOrNothing() throws Exception {
    try (FakeReplica replica = streaming(Tls.server(server, client.certificates()))) {
      refused(replica, Tls.client(server.certificates(), null), "none");
      refused(replica, Tls.client(server.certificates(), elsewhere), "another");
    }
  }

  @Test
  void operatorsSpeakTls() throws Exception {
    SslContext admin = Tls.http1Server(server, client.certificates());
    try (FakeReplica replica = streaming(null);
        TestBalancer balancer = TestBalancer.with(config -> config.adminTls(admin), replica)) {
      URI health = URI.create("https://127.0.0.1:" + balancer.adminPort() + "/health");
      for (HttpClient.Version version : HttpClient.Version.values()) {
        HttpClient operator =
            HttpClient.newBuilder().version(version).sslContext(context(server, client)).build();
        HttpResponse<String> answer =
            operator.send(
                HttpRequest.newBuilder(health).build(), HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode());
        assertEquals(HttpClient.Version.HTTP_1_1, answer.version());
      }
      HttpClient nobody = HttpClient.newBuilder().sslContext(context(server, null)).build();
      assertThrows(
          IOException.class,
          () ->
              nobody.send(
                  HttpRequest.newBuilder(health).build(), HttpResponse.BodyHandlers.ofString()));
      assertThrows(IOException.class, () -> balancer.admin("/health"), "without TLS");
    }
  }

  private static void refused(FakeReplica replica, SslContext tls, String why)
      throws IOException, InterruptedException {
    try (TestBalancer balancer = TestBalancer.with(config -> config.upstreamTls(tls), replica)) {
      assertEquals(502, balancer.chat(true).statusCode(), why);
      assertEquals(0, replica.waitingRequests());
    }
  }

  private static FakeReplica streaming(SslContext tls) {
    return new FakeReplica(tls, answer -> answer.stream().send(Chunks.ANSWER_WITH_USAGE).end());
  }

  private static String chat(TestBalancer balancer, SSLContext tls) throws Exception {
    return chat(balancer, tls, HttpClient.Version.HTTP_1_1).body();
  }

  private static HttpResponse<String> chat(
      TestBalancer balancer, SSLContext tls, HttpClient.Version version) throws Exception {
    HttpClient client = HttpClient.newBuilder().version(version).sslContext(tls).build();
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("https://127.0.0.1:" + balancer.port() + "/v1/chat/completions"))
            .POST(HttpRequest.BodyPublishers.ofString(TestBalancer.chatBody(true)))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** A client's context by the JDK alone. */
  private static SSLContext context(Tls.Identity trusted, Tls.Identity own)
      throws GeneralSecurityException, IOException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore anchors = emptyStore();
    anchors.setCertificateEntry("trusted", certificate(trusted));
    trust.init(anchors);
    KeyStore keys = emptyStore();
    if (own != null) {
      String pem = new String(own.key()).replaceAll("-----[^-]+-----|\n", "");
      keys.setKeyEntry(
          "own",
          KeyFactory.getInstance("EC")
              .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem))),
          NO_PASSWORD,
          new Certificate[] {certificate(own)});
    }
    KeyManagerFactory identity =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    identity.init(keys, NO_PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(identity.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static Certificate certificate(Tls.Identity identity) throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(identity.certificates()));
  }
}
