package dev.tarn.client.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tarn.fixtures.TestJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class LockFileTest {
  private static final Path LOCKS = Path.of("/proc/locks");

  @TempDir Path folder;

  @Test
  @Timeout(60)
  void processesWhoseThreadsHoldWhatTheOthersWaitForAreNoDeadlock() throws Exception {
    assumeTrue(Files.isReadable(LOCKS), "nothing tells here who waits for a lock");
    Path ours = folder.resolve("ours");
    Path theirs = folder.resolve("theirs");
    LockFile held = LockFile.hold(ours);
    Process process = hold(theirs, ours);
    try {
      assertThat(process.getInputStream().read()).isEqualTo('!');
      while (!isWaiting(process)) {
        Thread.onSpinWait();
      }
      FutureTask<LockFile> second = new FutureTask<>(() -> LockFile.hold(theirs));
      Thread thread = new Thread(second);
      thread.start();
      while (thread.isAlive() && thread.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      process.getOutputStream().close();
      second.get().close();
      held.close();
      assertThat(process.waitFor()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  private static Process hold(Path first, Path second) throws IOException {
    return TestJvm.start(HoldingProcess.class, first.toString(), second.toString());
  }

  private static boolean isWaiting(Process process) throws IOException {
    return Files.readAllLines(LOCKS).stream()
        .anyMatch(lock -> lock.contains("->") && lock.contains(" " + process.pid() + " "));
  }
}
