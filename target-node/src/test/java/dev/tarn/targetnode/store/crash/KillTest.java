package dev.tarn.targetnode.store.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.target.Outcome;
import dev.tarn.fixtures.Rounds;
import dev.tarn.fixtures.TestJvm;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.store.disk.LocalDisk;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a real process (kill -9) at random moments and looks at what it left. */
final class KillTest {
  private static final int ROUNDS = Rounds.of(12);
  private static final long ABSENT = 0;
  @TempDir private Path directory;

  /** What the killed process says: what it does, the number of the write, a version or none. */
  private static final Pattern LINE = Pattern.compile("(begin|done) ([0-9]+) ([0-9a-z-]+)\\.");

  /** The writes that a key may show; {@link #ABSENT} for none. */
  private final Map<String, List<Long>> possible = new HashMap<>();

  /** The versions that a key may have, of the bucket that keeps them. */
  private final Map<String, List<KeyVersions>> possibleVersions = new HashMap<>();

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
    Process process = TestJvm.start(KilledNode.class, directory.toString(), Long.toString(first));
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
    Matcher said = LINE.matcher(line);
    if (!said.matches()) {
      return 0;
    }
    boolean done = said.group(1).equals("done");
    long write = Long.parseLong(said.group(2));
    if (KilledNode.isVersioned(write)) {
      takeVersioned(done, write, said.group(3));
      return write;
    }
    List<Long> states =
        possible.computeIfAbsent(KilledNode.key(write), key -> new ArrayList<>(List.of(ABSENT)));
    if (done) {
      states.clear();
    }
    states.add(write % 7 == 0 ? ABSENT : write);
    return write;
  }

  private void takeVersioned(boolean done, long write, String version) {
    List<KeyVersions> states =
        possibleVersions.computeIfAbsent(
            KilledNode.key(write), key -> new ArrayList<>(List.of(KeyVersions.NONE)));
    Optional<String> made = done ? Optional.of(version) : Optional.empty();
    KeyVersions before = states.getFirst();
    KeyVersions after =
        switch (KilledNode.kind(write)) {
          case PUT ->
              before.with(
                  KilledNode.versioning(write), made, Optional.of(KilledNode.content(write)));
          case DELETE -> before.with(KilledNode.versioning(write), made, Optional.empty());
          case DELETE_VERSION -> before.without(version);
        };
    if (done) {
      states.clear();
    }
    states.add(after);
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
      checkVersions(node.calls(KilledNode.VERSIONED), round);
    }
  }

  private void checkVersions(Calls calls, int round) {
    for (Map.Entry<String, List<KeyVersions>> key : possibleVersions.entrySet()) {
      KeyVersions shown = VersionWriter.find(calls, key.getKey(), 3).orElseThrow();
      assertThat(key.getValue().stream().anyMatch(state -> state.matches(shown)))
          .as("%s after kill %s has %s, may have %s", key.getKey(), round, shown, key.getValue())
          .isTrue();
      VersionWriter.assertCurrent(calls, key.getKey(), shown.newest());
      key.setValue(new ArrayList<>(List.of(shown)));
    }
  }

  private static boolean shows(Outcome<byte[]> found, long write) {
    return found instanceof Outcome.Success<byte[]> success
        ? write != ABSENT && Arrays.equals(success.value(), KilledNode.content(write))
        : write == ABSENT;
  }
}
