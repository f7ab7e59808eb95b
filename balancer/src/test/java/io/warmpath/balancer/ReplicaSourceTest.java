package io.warmpath.balancer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.warmpath.balancer.prompt.TokenizerKind;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReplicaSourceTest {

  private final List<String> records = new ArrayList<>(List.of("10.0.0.2", "10.0.0.1"));
  private final AtomicLong now = new AtomicLong();

  @Test
  void makesAReplicaOfEachAddress() {
    records.add("fd00::7");
    records.add("10.0.0.1");
    assertEquals(
        List.of(
            new ReplicaAddress("10.0.0.1:8000", URI.create("http://10.0.0.1:8000")),
            new ReplicaAddress("10.0.0.2:8000", URI.create("http://10.0.0.2:8000")),
            new ReplicaAddress("[fd00::7]:8000", URI.create("http://[fd00::7]:8000"))),
        source().replicas());
  }

  @Test
  void looksAgainWhenItIsTime() {
    ReplicaSource source = source();
    records.remove("10.0.0.2");
    now.addAndGet(Duration.ofSeconds(10).toNanos() - 1);
    source.refresh();
    assertEquals(2, source.replicas().size());
    now.incrementAndGet();
    source.refresh();
    assertEquals(1, source.replicas().size());
  }

  @Test
  void keepsTheLastOnesWhileTheNameCannotBeLookedUp() {
    ReplicaSource source = source();
    records.clear();
    now.addAndGet(Duration.ofSeconds(10).toNanos());
    source.refresh();
    assertEquals(2, source.replicas().size());
    assertEquals(1, source.failures());
  }

  @Test
  void startsWithoutReplicasWhereThereAreNone() {
    records.clear();
    ReplicaSource source = source();
    assertEquals(List.of(), source.replicas());
    records.add("10.0.0.3");
    now.addAndGet(Duration.ofSeconds(10).toNanos());
    source.refresh();
    assertEquals("10.0.0.3:8000", source.replicas().get(0).name());
  }

  @Test
  void followsAnotherConfiguration() {
    ReplicaSource source = source();
    source.follow(model(9000));
    assertEquals("10.0.0.1:9000", source.replicas().get(0).name());
    ReplicaAddress listed = new ReplicaAddress("r", URI.create("http://h:1"));
    source.follow(new ModelConfig("m", TokenizerKind.QUAD, 16, List.of(listed)));
    now.addAndGet(Duration.ofHours(1).toNanos());
    source.refresh();
    assertEquals(List.of(listed), source.replicas());
  }

  private ReplicaSource source() {
    return new ReplicaSource(model(8000), this::lookUp, now::get);
  }

  private static ModelConfig model(int port) {
    DnsReplicas dns = new DnsReplicas("vllm.svc", port, Duration.ofSeconds(10));
    return new ModelConfig("m", TokenizerKind.QUAD, 16, List.of(), dns);
  }

  private List<InetAddress> lookUp(String host) throws UnknownHostException {
    assertEquals("vllm.svc", host);
    if (records.isEmpty()) {
      throw new UnknownHostException(host);
    }
    List<InetAddress> addresses = new ArrayList<>();
    for (String record : records) {
      addresses.add(InetAddress.getByName(record));
    }
    return addresses;
  }
}
