package io.warmpath.lab.founding;

import io.warmpath.lab.simulate.BatchedFleet;
import io.warmpath.lab.simulate.FleetOptions;
import io.warmpath.lab.simulate.FleetRequest;
import io.warmpath.lab.simulate.ServedRequest;
import io.warmpath.replica.engine.EngineProfile;
import io.warmpath.routing.policy.Policies;
import io.warmpath.routing.policy.RoutingPolicy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * One run of the founding experiment in virtual time, closed loop: a worker's next prompt follows
 * its last answer after a think time. Caches are cold at the start.
 */
public final class FoundingSimulation {

  /** Blocks that one conversation may have, so that ids of conversations do not meet. */
  private static final int CONVERSATION_ID_BITS = 24;

  private record Prompt(long timeMicros, int worker, Conversation conversation, Turn turn) {}

  private final EngineProfile profile;
  private final BatchedFleet fleet;
  private final RoutingPolicy policy;
  private final Queue<Conversation> notPlayed;
  private final Queue<Prompt> prompts =
      new PriorityQueue<>(
          Comparator.comparingLong(Prompt::timeMicros).thenComparingInt(Prompt::worker));
  private final List<FoundingRequest> done = new ArrayList<>(FoundingWorkload.REQUESTS);

  private FoundingSimulation(
      FoundingWorkload workload, EngineProfile profile, FleetOptions options, String policy) {
    this.profile = profile;
    this.fleet = new BatchedFleet(profile, options);
    this.policy = Policies.parse(policy);
    this.notPlayed = new ArrayDeque<>(workload.conversations());
  }

  /**
   * Plays a workload.
   *
   * @param profile engine of each replica
   * @param options number and speeds of replicas
   * @param policy name as in {@link Policies#parse}
   * @return all requests in the order in which they finished
   */
  public static List<FoundingRequest> run(
      FoundingWorkload workload, EngineProfile profile, FleetOptions options, String policy) {
    return new FoundingSimulation(workload, profile, options, policy).play();
  }

  private List<FoundingRequest> play() {
    for (int worker = 0; worker < FoundingWorkload.WORKERS; worker++) {
      startConversation(worker, 0);
    }
    while (true) {
      long promptMicros = prompts.isEmpty() ? Long.MAX_VALUE : prompts.element().timeMicros();
      long engineMicros = fleet.nextEventMicros();
      if (engineMicros <= promptMicros && engineMicros < Long.MAX_VALUE) {
        fleet.runNextEvent();
      } else if (promptMicros < Long.MAX_VALUE) {
        send(prompts.remove());
      } else {
        return done;
      }
    }
  }

  private void startConversation(int worker, long nowMicros) {
    Conversation conversation = notPlayed.poll();
    if (conversation != null) {
      startTurn(worker, conversation, conversation.turns().get(0), nowMicros);
    }
  }

  private void startTurn(int worker, Conversation conversation, Turn turn, long nowMicros) {
    prompts.add(new Prompt(nowMicros + turn.thinkMicros(), worker, conversation, turn));
  }

  private void send(Prompt prompt) {
    Conversation conversation = prompt.conversation();
    int promptTokens = conversation.promptTokens(prompt.turn().number());
    int outputTokens = prompt.turn().outputTokens();
    FleetRequest request =
        new FleetRequest(
            blockIds(conversation, promptTokens + outputTokens),
            promptTokens,
            outputTokens,
            conversation.number() + 1L);
    fleet.route(policy, request, prompt.timeMicros(), served -> finished(prompt, served));
  }

  private void finished(Prompt prompt, ServedRequest served) {
    done.add(
        new FoundingRequest(
            prompt.conversation().number(),
            prompt.turn().number(),
            served.replica(),
            served.promptTokens(),
            served.cachedTokens(),
            served.arrivalMicros(),
            served.ttftMicros(),
            served.endToEndMicros()));
    List<Turn> turns = prompt.conversation().turns();
    if (prompt.turn().number() < turns.size()) {
      Turn next = turns.get(prompt.turn().number());
      startTurn(prompt.worker(), prompt.conversation(), next, served.finishedMicros());
    } else {
      startConversation(prompt.worker(), served.finishedMicros());
    }
  }

  /**
   * Ids of the blocks that a conversation has filled. Its tokens only grow at the end, and an
   * answer is the same on every replica, so that position alone tells a block.
   */
  private long[] blockIds(Conversation conversation, int tokens) {
    long[] ids = new long[tokens / profile.blockTokens()];
    long first = (conversation.number() + 1L) << CONVERSATION_ID_BITS;
    for (int block = 0; block < ids.length; block++) {
      ids[block] = first + block;
    }
    return ids;
  }
}
