package io.warmpath.balancer.decision;

import io.warmpath.balancer.upstream.Replica;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * The replicas of a model that get requests, by their numbers. Policies know replicas by number and
 * remember them so, hence a change leaves as many as possible where they were.
 */
final class Fleet {

  private final List<Member> members;
  private final List<String> names;

  Fleet(List<Member> members) {
    this.members = List.copyOf(members);
    this.names = members.stream().map(Member::name).toList();
  }

  List<Member> members() {
    return members;
  }

  /** Their names; the same list as long as the fleet is the same. */
  List<String> names() {
    return names;
  }

  List<Replica> replicas() {
    return members.stream().map(Member::replica).toList();
  }

  /** Number of a replica, -1 if it is none of these. */
  int indexOf(Replica replica) {
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).replica() == replica) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The fleet of other replicas: who stays keeps its number, one of the same name takes over that
   * of the one before, others fill the gaps, and the last move into those that are left.
   *
   * @param joining makes the member of a replica that was not there
   */
  Fleet of(List<Replica> replicas, Function<Replica, Member> joining) {
    Map<Replica, Member> here = new IdentityHashMap<>();
    members.forEach(member -> here.put(member.replica(), member));
    Member[] places = new Member[Math.max(members.size(), replicas.size())];
    Deque<Member> joiners = new ArrayDeque<>();
    for (Replica replica : replicas) {
      Member stays = here.get(replica);
      int place = names.indexOf(replica.name());
      Member member = stays != null ? stays : joining.apply(replica);
      if (place >= 0) {
        places[place] = member;
      } else {
        joiners.add(member);
      }
    }
    for (int i = 0; i < places.length && !joiners.isEmpty(); i++) {
      if (places[i] == null) {
        places[i] = joiners.poll();
      }
    }
    return new Fleet(withoutGaps(places, replicas.size()));
  }

  private static List<Member> withoutGaps(Member[] places, int size) {
    Deque<Member> last =
        new ArrayDeque<>(
            Arrays.stream(places, size, places.length).filter(Objects::nonNull).toList());
    List<Member> packed = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      packed.add(places[i] != null ? places[i] : last.pollLast());
    }
    return packed;
  }
}
