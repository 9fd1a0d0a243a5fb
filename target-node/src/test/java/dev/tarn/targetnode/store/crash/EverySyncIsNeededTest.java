package dev.tarn.targetnode.store.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Leaves out one sync after the other, each by itself, and expects that losses of power then lose
 * or break something. It takes minutes: run with -Dtarn.test.thorough=true.
 */
@EnabledIfSystemProperty(named = "tarn.test.thorough", matches = "true")
final class EverySyncIsNeededTest {
  private static final int SEEDS_MAX = Integer.getInteger("tarn.test.seeds", 12);
  private static final int CUTS = 15;
  @TempDir private Path directory;

  @Test
  void withoutAnyOneSyncSomethingIsLost() throws Exception {
    Lives whole = new Lives(Files.createDirectory(directory.resolve("whole")), 1, "");
    whole.run(CUTS);
    Map<String, String> verdicts = new TreeMap<>();
    for (String sync : whole.syncs()) {
      verdicts.put(sync, lossWithout(sync));
    }
    verdicts.forEach((sync, verdict) -> System.out.println("without " + sync + ": " + verdict));
    assertThat(verdicts).doesNotContainValue("");
  }

  /** What was lost, or nothing. */
  private String lossWithout(String sync) throws Exception {
    for (int seed = 1; seed <= SEEDS_MAX; seed++) {
      Path place = Files.createTempDirectory(directory, "lives");
      try {
        new Lives(place, seed, sync).run(CUTS);
      } catch (AssertionError e) {
        return "seed " + seed + ": " + String.valueOf(e.getMessage()).lines().findFirst();
      } catch (java.io.IOException e) {
        return "seed " + seed + ": " + e.getMessage();
      }
    }
    return "";
  }
}
