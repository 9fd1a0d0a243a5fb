package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.target.Failure;
import dev.tarn.targetnode.store.Change;
import dev.tarn.targetnode.store.CommitResult;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commits do to others: those beside them, and the extents that they release. */
final class CommitFaultTest {
  @TempDir private Path directory;
  private SimulatedDisk disk = new SimulatedDisk(Path.of("unused"));

  @BeforeEach
  void makeDisk() {
    disk = new SimulatedDisk(directory.resolve("index"));
  }

  private static CommitResult<Boolean> commit(OneDisk node, Change<Boolean> change) {
    return node.store().commit(change, Durability.SYSTEM).toCompletableFuture().join();
  }

  @Test
  void aChangeThatThrowsFailsAlone() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      CommitResult<Boolean> result =
          commit(
              node,
              view -> {
                throw new IllegalStateException("a fault of a test");
              });
      assertThat(result)
          .isInstanceOfSatisfying(
              CommitResult.Refused.class,
              refused -> assertThat(refused.failure()).isInstanceOf(Failure.Bug.class));
      value(node.calls().put("key", new byte[100]));
    }
  }

  @Test
  void anErrorTakesTheDiskOutAndAnswersAll() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      CommitResult<Boolean> result =
          commit(
              node,
              view -> {
                throw new AssertionError("an error of a test");
              });
      assertThat(result).isNotInstanceOf(CommitResult.Committed.class);
      assertThat(node.store().health().outOfService()).isPresent();
      assertThat(commit(node, view -> new Decision.Nothing<>(true)))
          .isInstanceOf(CommitResult.Refused.class);
    }
  }

  @Test
  void commitsThatHoldTooMuchMemoryWhileTheyWaitAreRefused() throws Exception {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      CountDownLatch held = new CountDownLatch(1);
      var first = node.store().commit(view -> awaiting(held), Durability.SYSTEM);
      List<CompletableFuture<CommitResult<Boolean>>> waiting = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        waiting.add(
            node.store()
                .commit(view -> new Decision.Nothing<>(true), Durability.SYSTEM, 1 << 20)
                .toCompletableFuture());
      }
      assertThat(waiting.subList(0, 64)).noneMatch(CompletableFuture::isDone);
      assertThat(waiting.subList(64, 100))
          .allSatisfy(refused ->
              assertThat(refused.join())
                  .isInstanceOfSatisfying(
                      CommitResult.Refused.class,
                      result ->
                          assertThat(result.failure()).isInstanceOf(Failure.Overloaded.class)));
      held.countDown();
      assertThat(first.toCompletableFuture().join()).isInstanceOf(CommitResult.Committed.class);
      waiting
          .subList(0, 64)
          .forEach(commit -> assertThat(commit.join()).isInstanceOf(CommitResult.Committed.class));
      value(node.calls().put("key", new byte[100]));
    }
  }

  private static Decision<Boolean> awaiting(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return new Decision.Nothing<>(true);
  }

  @Test
  void anExtentStaysUntilItsReleaseIsDurable() throws IOException {
    byte[] large = new byte[20_000];
    new Random(1).nextBytes(large);
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      value(node.calls().put("key", large));
    }
    disk = disk.afterKill();
    OneDisk node = new OneDisk(disk, OneDisk.SMALL, BucketSettings.Durability.OS);
    value(node.calls().delete("key"));
    assertThat(disk.files("extents/")).hasSize(1);
    value(node.calls().put("other", new byte[10]));
    node.store()
        .commit(view -> new Decision.Nothing<>(true), Durability.CHECKPOINT)
        .toCompletableFuture()
        .join();
    assertThat(disk.files("extents/")).isEmpty();
    node.close();
  }
}
