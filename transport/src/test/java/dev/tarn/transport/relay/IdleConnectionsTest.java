package dev.tarn.transport.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.transport.relay.SlowBodiesTest.SlowBody;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that wait for a body to begin do not wait for the target. */
@Timeout(60)
class IdleConnectionsTest extends SilentTargetFixture {
  @Test
  void connectionsOfBodiesThatHaveNotBegunAreNoCallsInFlight() throws InterruptedException {
    RelayClient caller = client(WAIT, 256, 1);
    List<SlowBody> bodies = List.of(new SlowBody(), new SlowBody());
    // On the event loop, so that the second call cannot use the connection of the first.
    vertx.runOnContext(ready -> bodies.forEach(body -> upload(caller, body)));
    bodies.forEach(body -> body.asked.join());
    passInTicks(Duration.ofSeconds(1));

    assertThat(call(caller, true).join()).isInstanceOf(Outcome.Success.class);
    assertThat(target.probes()).isZero();
  }

  private void upload(RelayClient caller, SlowBody body) {
    caller.call(
        target.address(),
        new RelayRequest(ScriptedTarget.change(Deadline.NONE), () -> "none", Optional.of(body)));
  }
}
