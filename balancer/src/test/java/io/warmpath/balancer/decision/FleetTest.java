package io.warmpath.balancer.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.warmpath.balancer.upstream.HealthSettings;
import io.warmpath.balancer.upstream.Replica;
import io.warmpath.balancer.upstream.ReplicaHealth;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetTest {

  private final Replica a = replica("a");
  private final Replica b = replica("b");
  private final Replica c = replica("c");
  private final Replica d = replica("d");
  private final Fleet fleet = new Fleet(List.of()).of(List.of(a, b, c), FleetTest::member);

  @Test
  void keepsTheOrderAtFirst() {
    assertEquals(List.of("a", "b", "c"), fleet.names());
  }

  @Test
  void addsAtTheEnd() {
    assertEquals(List.of("a", "b", "c", "d"), names(d, c, b, a));
  }

  @Test
  void fillsTheGapOfOneThatLeft() {
    assertEquals(List.of("a", "d", "c"), names(a, c, d));
  }

  @Test
  void movesTheLastIntoAGapThatStays() {
    assertEquals(List.of("c", "b"), names(b, c));
    assertEquals(List.of("a", "b"), names(a, b));
    assertEquals(List.of("c"), names(c));
    assertEquals(List.of(), names());
  }

  @Test
  void putsAReplicaOfTheSameNameInItsPlace() {
    Replica other = replica("b");
    Fleet next = fleet.of(List.of(other, c, a), FleetTest::member);
    assertEquals(List.of("a", "b", "c"), next.names());
    assertEquals(1, next.indexOf(other));
    assertEquals(-1, next.indexOf(b));
  }

  @Test
  void keepsWhatIsKnownOfThoseWhoStay() {
    Fleet next = fleet.of(List.of(c, d), FleetTest::member);
    assertSame(fleet.members().get(2), next.members().get(next.indexOf(c)));
  }

  private List<String> names(Replica... replicas) {
    return fleet.of(List.of(replicas), FleetTest::member).names();
  }

  private static Member member(Replica replica) {
    return new Member(replica, new ReplicaLoad(), new RecentRoutes(() -> 0));
  }

  private static Replica replica(String name) {
    return new Replica(
        name,
        URI.create("http://127.0.0.1:1"),
        new ReplicaHealth(HealthSettings.DEFAULTS, () -> 0));
  }
}
