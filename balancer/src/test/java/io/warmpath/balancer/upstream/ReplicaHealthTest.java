package io.warmpath.balancer.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.balancer.upstream.ReplicaHealth.State;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReplicaHealthTest {

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);
  private final ReplicaHealth health =
      new ReplicaHealth(
          new HealthSettings(
              Duration.ofSeconds(1), Duration.ofSeconds(1), 2, Duration.ofNanos(100)),
          now::get);

  private final EjectionSettings ejection =
      new EjectionSettings(
          3, 0.5, 10, Duration.ofNanos(1000), Duration.ofNanos(350), 0.5, Duration.ofNanos(800));
  private final FleetHealth fleet = new FleetHealth(0.5);
  private final List<ReplicaHealth> pair =
      Stream.generate(
              () ->
                  new ReplicaHealth(
                      new HealthSettings(
                          Duration.ofSeconds(1), Duration.ofSeconds(1), 2, Duration.ofNanos(100)),
                      ejection,
                      fleet,
                      now::get))
          .limit(2)
          .toList();

  @Test
  void startsUp() {
    assertEquals(State.UP, health.state());
    assertTrue(health.available());
  }

  @Test
  void isEjectedForAWhileAfterAFailedConnection() {
    health.attempt().connectionRefused();
    assertEquals(State.EJECTED, health.state());
    assertFalse(health.available());
    now.addAndGet(99);
    assertFalse(health.available());
    now.addAndGet(1);
    assertTrue(health.available());
    assertEquals(State.HALF_OPEN, health.state());
  }

  @Test
  void isTriedAgainWithOneRequestAtATimeWhereAnEjectionTakesNoTime() {
    ReplicaHealth atOnce =
        new ReplicaHealth(
            new HealthSettings(Duration.ZERO, Duration.ofSeconds(1), 2, Duration.ZERO), now::get);
    atOnce.attempt().connectionRefused();
    assertEquals(State.HALF_OPEN, atOnce.state());
    assertTrue(atOnce.available());
    ReplicaHealth.Attempt probe = atOnce.attempt();
    now.incrementAndGet();
    assertFalse(atOnce.available());
    probe.connectionRefused();
    assertTrue(atOnce.available());
    atOnce.attempt();
    now.addAndGet(HealthSettings.DEFAULTS.ejection().toNanos() - 1);
    assertFalse(atOnce.available());
    now.incrementAndGet();
    assertTrue(atOnce.available(), "one that takes long holds up the next for a while only");
  }

  @Test
  void comesBackEarlyWhenACheckPasses() {
    health.attempt().connectionRefused();
    health.checkPassed();
    assertTrue(health.available());
  }

  @Test
  void isDownAfterEnoughFailedChecksUntilOnePasses() {
    health.checkFailed();
    assertTrue(health.available());
    health.checkFailed();
    assertEquals(State.DOWN, health.state());
    assertFalse(health.available());
    health.checkPassed();
    assertTrue(health.available());
    health.checkFailed();
    assertTrue(health.available());
  }

  @Test
  void isGoneOnceWhenItRefusesChecks() {
    assertFalse(health.checkRefused());
    assertTrue(health.checkRefused());
    assertEquals(State.DOWN, health.state());
    assertFalse(health.checkRefused());
    health.checkPassed();
    assertFalse(health.checkRefused());
    assertTrue(health.checkRefused());
  }

  @Test
  void noMoreThanTheShareIsDownForChecksThatAreNotAnsweredInTime() {
    for (int i = 0; i < 10; i++) {
      pair.forEach(ReplicaHealth::checkTimedOut);
      health.checkTimedOut();
    }
    assertEquals(State.DOWN, pair.get(0).state());
    assertEquals(State.UP, pair.get(1).state());
    assertEquals(State.UP, health.state(), "it is the only one");
    pair.get(0).checkPassed();
    assertEquals(State.UP, pair.get(0).state());
    pair.get(1).checkTimedOut();
    assertEquals(State.DOWN, pair.get(1).state());
  }

  @Test
  void allAreDownWhoseChecksAreRefusedOrFail() {
    for (int i = 0; i < 2; i++) {
      pair.get(0).checkRefused();
      pair.get(1).checkFailed();
    }
    pair.forEach(replica -> assertEquals(State.DOWN, replica.state()));
  }

  @Test
  void isNotGoneWhileItsChecksAreOnlyLate() {
    pair.get(0).checkTimedOut();
    pair.get(0).checkTimedOut();
    assertEquals(State.DOWN, pair.get(0).state());
    assertTrue(pair.get(0).checkRefused());
  }

  @Test
  void getsRequestsInSpiteOfLateChecksWhenTheOthersLeave() {
    pair.get(0).checkTimedOut();
    pair.get(0).checkTimedOut();
    pair.get(1).leave();
    assertEquals(State.UP, pair.get(0).state());
  }

  @Test
  void noMoreThanTheShareIsOutWhenConnectionsTakeTooLong() {
    pair.forEach(replica -> replica.attempt().notReached());
    assertEquals(State.EJECTED, pair.get(0).state());
    assertEquals(State.UP, pair.get(1).state());
  }

  @Test
  void waitsForItsFirstCheckWhenItJoins() {
    pair.get(0).joined(true);
    assertFalse(pair.get(0).available());
    now.addAndGet(1000);
    pair.get(0).checkPassed();
    assertTrue(pair.get(0).available());
    assertEquals(0.1, pair.get(0).ramp());
  }

  @Test
  void startsSlowlyWhenItJoinsAndNothingIsChecked() {
    pair.get(0).joined(false);
    assertTrue(pair.get(0).available());
    assertEquals(0.1, pair.get(0).ramp());
    now.addAndGet(800);
    assertEquals(1, pair.get(0).ramp());
  }

  @Test
  void waitsForNoCheckWhenItJoinsWhereNobodyElseIs() {
    health.joined(true);
    assertTrue(health.available());
  }

  @Test
  void isTriedWithAnotherRequestWhenTheFirstTakesLong() {
    fail(pair.get(0), 3);
    now.addAndGet(100);
    ReplicaHealth.Attempt longOne = pair.get(0).attempt();
    now.addAndGet(99);
    assertFalse(pair.get(0).available());
    now.addAndGet(1);
    assertTrue(pair.get(0).available());
    ReplicaHealth.Attempt next = pair.get(0).attempt();
    assertFalse(pair.get(0).available());
    longOne.withdrawn();
    assertFalse(pair.get(0).available(), "the next one is on its way");
    next.answering();
    assertEquals(State.UP, pair.get(0).state());
  }

  @Test
  void isEjectedForFailuresInARow() {
    for (int i = 0; i < 2; i++) {
      fail(pair.get(0), 2);
      assertEquals(State.UP, pair.get(0).state());
      pair.get(0).attempt().succeeded();
    }
    fail(pair.get(0), 3);
    assertEquals(State.EJECTED, pair.get(0).state());
    assertTrue(pair.get(1).available());
  }

  @Test
  void isEjectedForTheShareOfItsFailures() {
    for (int i = 0; i < 4; i++) {
      pair.get(0).attempt().succeeded();
      fail(pair.get(0), 1);
    }
    assertEquals(State.UP, pair.get(0).state(), "too few to tell");
    pair.get(0).attempt().succeeded();
    fail(pair.get(0), 1);
    assertEquals(State.EJECTED, pair.get(0).state());
  }

  @Test
  void forgetsFailuresOfLongAgo() {
    for (int i = 0; i < 4; i++) {
      pair.get(0).attempt().succeeded();
      fail(pair.get(0), 1);
    }
    now.addAndGet(2000);
    pair.get(0).attempt().succeeded();
    fail(pair.get(0), 1);
    assertEquals(State.UP, pair.get(0).state());
  }

  @Test
  void isNeverEjectedForItsAnswersWhenTooManyAreOut() {
    fail(pair.get(0), 3);
    fail(pair.get(1), 100);
    assertEquals(State.EJECTED, pair.get(0).state());
    assertEquals(State.UP, pair.get(1).state());
    fail(health, 100);
    assertEquals(State.UP, health.state(), "it is the only one");
  }

  @Test
  void noMoreThanTheShareIsOutHoweverTrialsEnd() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      ReplicaHealth one = pair.get(random.nextInt(2));
      if (one.available()) {
        one.attempt().failed();
      }
      now.addAndGet(random.nextInt(60));
      assertTrue(pair.stream().filter(replica -> replica.state() == State.EJECTED).count() <= 1);
    }
    assertTrue(pair.stream().anyMatch(ReplicaHealth::available));
  }

  @Test
  void isTriedOnWhenItFailsAgainWhileTooManyAreOut() {
    fail(pair.get(0), 3);
    now.addAndGet(100);
    assertEquals(State.HALF_OPEN, pair.get(0).state());
    fail(pair.get(1), 3);
    assertEquals(State.EJECTED, pair.get(1).state());
    fail(pair.get(0), 1);
    assertEquals(State.HALF_OPEN, pair.get(0).state());
    assertTrue(pair.get(0).available());
  }

  @Test
  void isTriedAgainAtOnceWhenTheOthersLeaveSoThatTooManyAreOut() {
    fail(pair.get(0), 3);
    pair.get(1).leave();
    assertEquals(State.HALF_OPEN, pair.get(0).state());
  }

  @Test
  void countsNoReplicaThatLeft() {
    ReplicaHealth third = new ReplicaHealth(HealthSettings.DEFAULTS, ejection, fleet, now::get);
    fail(pair.get(0), 3);
    fail(pair.get(1), 3);
    assertEquals(State.UP, pair.get(1).state(), "two of three are too many");
    pair.get(0).leave();
    fail(pair.get(1), 1);
    assertEquals(State.EJECTED, pair.get(1).state());
    assertEquals(State.UP, third.state());
  }

  @Test
  void isLeftOutWhateverTheShareWhenItCannotBeReached() {
    pair.forEach(replica -> replica.attempt().connectionRefused());
    pair.forEach(replica -> assertFalse(replica.available()));
  }

  @Test
  void isTriedWithOneRequestAtATime() {
    fail(pair.get(0), 3);
    now.addAndGet(100);
    assertTrue(pair.get(0).available());
    ReplicaHealth.Attempt first = pair.get(0).attempt();
    assertFalse(pair.get(0).available());
    assertEquals(State.HALF_OPEN, pair.get(0).state());
    first.withdrawn();
    assertTrue(pair.get(0).available(), "a client that left says nothing");
    pair.get(0).attempt().answering();
    assertEquals(State.UP, pair.get(0).state());
  }

  @Test
  void staysOutLongerEachTimeUpToABound() {
    fail(pair.get(0), 3);
    for (int nanos : new int[] {100, 200, 350, 350}) {
      now.addAndGet(nanos - 1);
      assertEquals(State.EJECTED, pair.get(0).state());
      now.addAndGet(1);
      assertEquals(State.HALF_OPEN, pair.get(0).state());
      fail(pair.get(0), 1);
    }
    now.addAndGet(350);
    pair.get(0).attempt().succeeded();
    now.addAndGet(351);
    fail(pair.get(0), 3);
    now.addAndGet(100);
    assertEquals(State.HALF_OPEN, pair.get(0).state(), "it was well for long");
  }

  @Test
  void isNotJudgedByRequestsOfBeforeItsEjection() {
    ReplicaHealth.Attempt old = pair.get(0).attempt();
    ReplicaHealth.Attempt older = pair.get(0).attempt();
    fail(pair.get(0), 3);
    now.addAndGet(100);
    old.failed();
    assertEquals(State.HALF_OPEN, pair.get(0).state());
    older.succeeded();
    assertEquals(State.HALF_OPEN, pair.get(0).state());
  }

  @Test
  void judgesARequestOnce() {
    for (int i = 0; i < 3; i++) {
      ReplicaHealth.Attempt attempt = pair.get(0).attempt();
      attempt.succeeded();
      attempt.failed();
    }
    ReplicaHealth.Attempt attempt = pair.get(0).attempt();
    for (int i = 0; i < 3; i++) {
      attempt.failed();
    }
    assertEquals(State.UP, pair.get(0).state());
  }

  @Test
  void isNotClearedOfItsAnswersByACheck() {
    fail(pair.get(0), 3);
    pair.get(0).checkPassed();
    assertEquals(State.EJECTED, pair.get(0).state());
  }

  @Test
  void isLeftAloneForAsLongAsItAsksWithinBounds() {
    pair.get(0).attempt().refused(Duration.ofNanos(50));
    assertEquals(State.BUSY, pair.get(0).state());
    pair.get(1).attempt().refused(Duration.ofNanos(50));
    assertEquals(State.UP, pair.get(1).state(), "somebody has to answer");
    now.addAndGet(50);
    assertEquals(State.UP, pair.get(0).state());
    pair.get(0).attempt().refused(Duration.ofDays(1));
    now.addAndGet(350);
    assertEquals(State.UP, pair.get(0).state());
    pair.get(0).attempt().refused(null);
    assertEquals(State.UP, pair.get(0).state());
  }

  @Test
  void isDrainedWhileTheOperatorWantsIt() {
    pair.get(0).drain();
    assertEquals(State.DRAINING, pair.get(0).state());
    assertFalse(pair.get(0).available());
    fail(pair.get(1), 100);
    assertTrue(pair.get(1).available(), "a drained one is out as well");
    pair.get(0).undrain();
    assertTrue(pair.get(0).available());
  }

  @Test
  void getsItsFullShareSlowlyAfterItCameBack() {
    assertEquals(1, pair.get(0).ramp());
    fail(pair.get(0), 3);
    now.addAndGet(100);
    pair.get(0).attempt().answering();
    assertEquals(0.1, pair.get(0).ramp());
    now.addAndGet(400);
    assertEquals(0.5, pair.get(0).ramp());
    now.addAndGet(400);
    assertEquals(1, pair.get(0).ramp());
    pair.get(1).checkFailed();
    pair.get(1).checkFailed();
    pair.get(1).checkPassed();
    assertEquals(0.1, pair.get(1).ramp());
  }

  private static void fail(ReplicaHealth replica, int times) {
    for (int i = 0; i < times; i++) {
      replica.attempt().failed();
    }
  }
}
