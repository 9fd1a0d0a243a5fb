package dev.tarn.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FairSharesTest {
  @Test
  void nobodyIsAboveTheLevelWhileTheLimitIsKept() {
    assertThat(FairShares.above(Map.of(), 0)).isEmpty();
    assertThat(FairShares.above(Map.of("a", 60L, "b", 40L), 100)).isEmpty();
  }

  @Test
  void loneClientAboveTheLimitIsGreedy() {
    assertThat(FairShares.above(Map.of("a", 101L), 100)).containsExactly("a");
  }

  @Test
  void clientThatHoldsLittleIsNotAffectedByGreedyOnes() {
    assertThat(FairShares.above(Map.of("small", 10L, "large", 50L, "larger", 80L), 100))
        .containsExactlyInAnyOrder("large", "larger");
  }

  @Test
  void whatSmallClientsLeaveIsDividedAmongTheOthers() {
    // 100 - 10 - 20 leaves a level of 35 for the two others.
    assertThat(FairShares.above(Map.of("a", 10L, "b", 20L, "c", 35L, "d", 60L), 100))
        .containsExactly("d");
  }

  @Test
  void manyEqualClientsAreAllGreedy() {
    Map<String, Long> held = new HashMap<>();
    for (int client = 0; client < 11; client++) {
      held.put("client-" + client, 10L);
    }

    assertThat(FairShares.above(held, 100)).hasSize(11);
  }
}
