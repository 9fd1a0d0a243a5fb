package dev.tarn.targetnode.store.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.store.disk.LocalDisk;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a real process (kill -9) at random moments and looks at what it left. */
final class KillTest {
  private static final int ROUNDS = Integer.getInteger("tarn.test.kills", 50);
  private static final long ABSENT = 0;
  @TempDir private Path directory;

  /** The writes that a key may show; {@link #ABSENT} for none. */
  private final Map<String, List<Long>> possible = new HashMap<>();

  @Test
  void whatWasAcknowledgedSurvivesBeingKilled() throws Exception {
    Random random = new Random(11);
    long next = 1;
    for (int round = 0; round < ROUNDS; round++) {
      next = live(next, 20 + random.nextInt(200));
      check(round);
    }
    assertThat(next).isGreaterThan(ROUNDS);
  }

  private long live(long first, int lines) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                KilledNode.class.getName(),
                directory.toString(),
                Long.toString(first))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    long last = first;
    try (BufferedReader output = process.inputReader()) {
      String line = output.readLine();
      for (int i = 0; line != null; i++) {
        last = Math.max(last, take(line));
        if (i == lines) {
          process.toHandle().destroyForcibly();
        }
        line = output.readLine();
      }
    }
    process.waitFor();
    return last + 1;
  }

  private long take(String line) {
    if (!line.matches("(begin|done) [0-9]+\\.")) {
      return 0;
    }
    long write = Long.parseLong(line.substring(line.indexOf(' ') + 1, line.length() - 1));
    List<Long> states =
        possible.computeIfAbsent(KilledNode.key(write), key -> new ArrayList<>(List.of(ABSENT)));
    if (line.startsWith("done")) {
      states.clear();
    }
    states.add(write % 7 == 0 ? ABSENT : write);
    return write;
  }

  private void check(int round) throws IOException {
    try (OneDisk node = new OneDisk(new LocalDisk(directory), OneDisk.SMALL)) {
      for (Map.Entry<String, List<Long>> key : possible.entrySet()) {
        Outcome<byte[]> found = node.calls().get(key.getKey());
        long shown =
            key.getValue().stream().filter(write -> shows(found, write)).findFirst().orElse(-1L);
        assertThat(shown)
            .as("%s after kill %s may show %s", key.getKey(), round, key.getValue())
            .isNotNegative();
        key.setValue(new ArrayList<>(List.of(shown)));
      }
    }
  }

  private static boolean shows(Outcome<byte[]> found, long write) {
    return found instanceof Outcome.Success<byte[]> success
        ? write != ABSENT && Arrays.equals(success.value(), KilledNode.content(write))
        : write == ABSENT;
  }
}
