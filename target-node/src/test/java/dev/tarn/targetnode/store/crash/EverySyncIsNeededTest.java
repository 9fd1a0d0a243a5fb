package dev.tarn.targetnode.store.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Leaves out one sync after the other, each by itself, and expects that a loss of power then loses
 * or breaks something; with all of them nothing is lost.
 */
final class EverySyncIsNeededTest {
  private static final int SEEDS_MAX = 100;
  private static final int WHOLE_SEEDS = 4;
  @TempDir private Path directory;

  @Test
  void withoutAnyOneSyncSomethingIsLost() throws IOException {
    TreeSet<String> syncs = new TreeSet<>();
    for (int seed = 1; seed <= WHOLE_SEEDS; seed++) {
      for (Scenario scenario : Scenario.values()) {
        try (Stage stage = new Stage(directory, seed, "")) {
          scenario.run(stage);
          syncs.addAll(stage.disk().syncs());
        }
      }
    }
    Map<String, String> losses = new LinkedHashMap<>();
    syncs.forEach(sync -> losses.put(sync, lossWithout(sync)));
    losses.forEach((sync, loss) -> System.out.println("without " + sync + ": " + loss));
    assertThat(losses).isNotEmpty().doesNotContainValue("");
  }

  /** Which scenario loses something, or nothing. */
  private String lossWithout(String sync) {
    for (int seed = 1; seed <= SEEDS_MAX; seed++) {
      for (Scenario scenario : Scenario.values()) {
        try (Stage stage = new Stage(directory, seed, sync)) {
          scenario.run(stage);
        } catch (AssertionError | IOException e) {
          return scenario
              + " with seed "
              + seed
              + ": "
              + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        }
      }
    }
    return "";
  }
}
