package dev.tarn.cluster.control.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.codec.MalformedMessageException;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.CommandOutcome.Reason;
import dev.tarn.cluster.control.RandomCommands;
import dev.tarn.cluster.control.StateChange;
import dev.tarn.cluster.control.StateMachine;
import dev.tarn.cluster.control.remote.Messages.Asking;
import dev.tarn.cluster.control.remote.Messages.CommandAnswer;
import dev.tarn.cluster.control.remote.Messages.CommandRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MessagesTest {
  private static final StateChange UNCHANGED = StateMachine.empty().since(0);

  @Test
  void everyOutcomeOfACommandComesBackAsItWent() throws MalformedMessageException {
    List<CommandOutcome> outcomes = new ArrayList<>();
    outcomes.add(new CommandOutcome.Applied(8));
    outcomes.add(new CommandOutcome.Unavailable("later"));
    outcomes.add(new CommandOutcome.Unconfirmed(""));
    for (Reason reason : Reason.values()) {
      outcomes.add(new CommandOutcome.Rejected(reason, "why"));
    }
    for (CommandOutcome outcome : outcomes) {
      CommandAnswer answer = new CommandAnswer(outcome, UNCHANGED);
      assertThat(CommandAnswer.decode(answer.encode())).isEqualTo(answer);
    }
  }

  @Test
  void reasonOfARejectionIsANumber() {
    CommandOutcome rejected = new CommandOutcome.Rejected(Reason.NEEDS_REBALANCE, "why");
    assertThat(new CommandAnswer(rejected, UNCHANGED).encode())
        .containsExactly(2, 11, 23, 18, 3, 'w', 'h', 'y', 24, 15, 0, 0, 19, 8, 0, 0, 0);
  }

  @Test
  void everyCommandComesBackAsItWent() throws MalformedMessageException {
    RandomCommands commands = new RandomCommands(20_261_123);
    Asking member = Asking.of(Audience.CODES.get(0), StateMachine.empty(), false);
    for (int round = 0; round < 2_000; round++) {
      CommandRequest request = new CommandRequest(member, commands.next());
      assertThat(CommandRequest.decode(request.encode())).isEqualTo(request);
    }
  }
}
