package dev.tarn.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.codec.MalformedMessageException;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class StateChangeTest {
  private static final TargetId TARGET = new TargetId("t1");

  private ControlState state = StateMachine.empty();

  @Test
  void memberThatGetsChangesOfAnyVersionsHasTheNewestStateInTheEnd() throws Exception {
    RandomCommands commands = new RandomCommands(39);
    Random random = new Random(39);
    List<ControlState> states = new ArrayList<>(List.of(state));
    for (int round = 0; round < 1_000; round++) {
      apply(commands.next());
      states.add(state);
    }
    ControlState member = StateMachine.empty();
    while (member.version() < state.version()) {
      long version = member.version();
      ControlState newer =
          states.stream()
              .filter(one -> one.version() > version)
              .skip(random.nextInt(20))
              .findFirst()
              .orElse(state);
      member = member.with(sent(newer.since(version)));
      assertThat(ControlCodec.STATE.encode(member)).isEqualTo(ControlCodec.STATE.encode(newer));
    }
  }

  @Test
  void changeOfTheMapSendsNothingElseAndOtherChangesSendNoMap() throws Exception {
    apply(new Command.CreateUser(1, new User("u", "alice", true)));
    apply(announce(7000));
    apply(announce("t2", 7002));
    apply(new Command.SetMembers(1, Set.of(TARGET)));
    long known = state.version();
    apply(new Command.SetMembers(1, Set.of(TARGET, new TargetId("t2"))));
    StateChange ofMap = sent(state.since(known));
    assertThat(ofMap.rest()).isEmpty();
    assertThat(ofMap.map()).isEqualTo(state.map());

    long second = state.version();
    apply(new Command.CreateUser(1, new User("v", "bob", true)));
    StateChange ofUsers = sent(state.since(second));
    assertThat(ofUsers.rest()).isPresent();
    assertThat(ofUsers.map()).isEmpty();
    assertThat(sent(state.since(known)).map()).isPresent();
    assertThat(sent(state.since(state.version())).isEmpty()).isTrue();
  }

  private static StateChange sent(StateChange change) throws MalformedMessageException {
    StateChange received = ControlCodec.CHANGE.decode(ControlCodec.CHANGE.encode(change));
    assertThat(received).isEqualTo(change);
    return received;
  }

  private static Command announce(int port) {
    return announce(TARGET.value(), port);
  }

  private static Command announce(String id, int port) {
    return new Command.AnnounceTarget(
        1,
        new AnnouncedTarget(
            new TargetId(id),
            List.of(new TargetAddress("127.0.0.1", port)),
            List.of(new AnnouncedTarget.Disk(new DiskId("disk-" + id), 1L << 40))));
  }

  private void apply(Command command) {
    state = StateMachine.apply(state, command).state();
  }
}
