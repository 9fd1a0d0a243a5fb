package dev.tarn.cluster.control.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketChange;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlCodec;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.control.RandomCommands;
import dev.tarn.cluster.control.StateMachine;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.object.ObjectCodecs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalControlPlaneTest {
  private static final User ALICE = new User("u1", "alice", true);

  @TempDir Path directory;

  @Test
  void reopenedPlaneShowsWhatWasAcknowledged() throws IOException {
    byte[] before;
    try (LocalControlPlane plane = LocalControlPlane.open(directory)) {
      submitAll(plane, 1, 300);
      before = ControlCodec.STATE.encode(plane.state());
    }
    try (LocalControlPlane plane = LocalControlPlane.open(directory)) {
      assertThat(ControlCodec.STATE.encode(plane.state())).isEqualTo(before);
      assertThat(plane.recovery().replayedCommands()).isPositive();
      assertThat(plane.recovery().tornBytes()).isZero();
    }
  }

  @Test
  void commandThatNoReaderAcceptsIsNotWritten() throws IOException {
    Map<String, String> tooMany = new HashMap<>();
    for (int i = 0; i <= ObjectCodecs.TAGS_MAX; i++) {
      tooMany.put("key" + i, "value");
    }
    try (LocalControlPlane plane = LocalControlPlane.open(directory)) {
      create(plane, "first");
      Bucket bucket = plane.state().buckets().iterator().next();
      BucketChange change = new BucketChange.SetTags(tooMany);

      CommandOutcome outcome =
          plane
              .submit(new Command.ConfigureBucket(1, "first", bucket.id(), change))
              .toCompletableFuture()
              .join();

      assertThat(outcome).isInstanceOf(CommandOutcome.Unavailable.class);
      assertThat(plane.state().buckets()).containsExactly(bucket);
      create(plane, "second");
    }
    try (LocalControlPlane plane = LocalControlPlane.open(directory)) {
      assertThat(plane.state().buckets()).hasSize(2);
    }
  }

  @Test
  void filesAreTheirOwnersAloneAlsoInAnOpenDirectory() throws IOException {
    Path control = Files.createDirectory(directory.resolve("control"));
    Files.setPosixFilePermissions(control, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (LocalControlPlane plane = LocalControlPlane.open(control, 1_000)) {
      submitAll(plane, 3, 300);
      assertThat(permissions(control)).isEqualTo("rwx------");
      assertThat(permissions(control.resolve("log"))).isEqualTo("rw-------");
      assertThat(permissions(control.resolve("snapshot"))).isEqualTo("rw-------");
    }
    Files.setPosixFilePermissions(
        control.resolve("log"), PosixFilePermissions.fromString("rw-r--r--"));
    try (LocalControlPlane plane = LocalControlPlane.open(control)) {
      assertThat(plane.recovery().tornBytes()).isZero();
      assertThat(permissions(control.resolve("log"))).isEqualTo("rw-------");
    }
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void snapshotsKeepTheLogShortAndLoseNothing() throws IOException {
    long snapshotAfterBytes = 1_000;
    byte[] before;
    try (LocalControlPlane plane = LocalControlPlane.open(directory, snapshotAfterBytes)) {
      submitAll(plane, 2, 1_000);
      before = ControlCodec.STATE.encode(plane.state());
    }
    assertThat(Files.size(directory.resolve("log"))).isLessThan(2 * snapshotAfterBytes);
    try (LocalControlPlane plane = LocalControlPlane.open(directory, snapshotAfterBytes)) {
      assertThat(ControlCodec.STATE.encode(plane.state())).isEqualTo(before);
    }
  }

  @Test
  void logCutAtAnyByteOfItsTailOpensAsBeforeTheCutRecordAndGoesOn() throws IOException {
    ControlState beforeLast;
    long soundSize;
    try (LocalControlPlane plane = LocalControlPlane.open(directory)) {
      create(plane, "first");
      beforeLast = plane.state();
      soundSize = Files.size(directory.resolve("log"));
      create(plane, "second");
    }
    byte[] log = Files.readAllBytes(directory.resolve("log"));
    for (int size = (int) soundSize; size < log.length; size++) {
      Files.write(directory.resolve("log"), Arrays.copyOf(log, size));
      try (LocalControlPlane plane = LocalControlPlane.open(directory)) {
        assertThat(ControlCodec.STATE.encode(plane.state()))
            .isEqualTo(ControlCodec.STATE.encode(beforeLast));
        assertThat(plane.recovery().tornBytes()).isEqualTo(size - (int) soundSize);
        create(plane, "third");
      }
      try (LocalControlPlane plane = LocalControlPlane.open(directory)) {
        assertThat(plane.state().buckets())
            .extracting(Bucket::name)
            .containsExactly("first", "third");
      }
    }
  }

  @Test
  void anyByteDamagedInTheMiddleOfTheLogIsRefusedByName() throws IOException {
    long firstRecordEnd;
    try (LocalControlPlane plane = LocalControlPlane.open(directory)) {
      create(plane, "first");
      firstRecordEnd = Files.size(directory.resolve("log"));
      create(plane, "second");
    }
    byte[] log = Files.readAllBytes(directory.resolve("log"));
    for (int i = 0; i < firstRecordEnd; i++) {
      byte[] damaged = log.clone();
      damaged[i] ^= 1;
      Files.write(directory.resolve("log"), damaged);
      assertThatThrownBy(() -> LocalControlPlane.open(directory))
          .isInstanceOf(CorruptControlFileException.class)
          .hasMessageContaining(directory.resolve("log").toString());
      assertThat(directory.resolve("log")).hasBinaryContent(damaged);
    }
  }

  @Test
  void filesOfAnUnknownFormatVersionAreRefusedByNameAndVersions() throws IOException {
    try (LocalControlPlane plane = LocalControlPlane.open(directory, 1_000)) {
      submitAll(plane, 2, 300);
    }
    for (String name : List.of("log", "snapshot")) {
      Path file = directory.resolve(name);
      byte[] known = Files.readAllBytes(file);
      byte[] unknown = known.clone();
      ByteBuffer.wrap(unknown).putInt(8, 99);
      Files.write(file, unknown);
      assertThatThrownBy(() -> LocalControlPlane.open(directory))
          .isInstanceOf(CorruptControlFileException.class)
          .hasMessage(
              file
                  + " has format version 99, this program reads "
                  + ControlCodec.FORMAT_VERSION
                  + "; start the version of Tarn that wrote it");
      assertThat(file).hasBinaryContent(unknown);
      Files.write(file, known);
    }
  }

  @Test
  void damagedSnapshotIsRefusedByName() throws IOException {
    try (LocalControlPlane plane = LocalControlPlane.open(directory, 1)) {
      create(plane, "first");
      create(plane, "second");
    }
    byte[] snapshot = Files.readAllBytes(directory.resolve("snapshot"));
    for (int i = 0; i < snapshot.length; i++) {
      byte[] damaged = snapshot.clone();
      damaged[i] ^= 0x40;
      Files.write(directory.resolve("snapshot"), damaged);
      assertThatThrownBy(() -> LocalControlPlane.open(directory))
          .isInstanceOf(CorruptControlFileException.class)
          .hasMessageContaining(directory.resolve("snapshot").toString());
    }
  }

  @Test
  void powerCutBetweenSnapshotAndShortenedLogLosesAndRepeatsNothing() throws IOException {
    ControlState state;
    try (LocalControlPlane plane = LocalControlPlane.open(directory)) {
      create(plane, "first");
      create(plane, "second");
      state = plane.state();
    }
    SnapshotFile.write(directory.resolve("snapshot"), state);
    try (LocalControlPlane plane = LocalControlPlane.open(directory)) {
      assertThat(plane.recovery().replayedCommands()).isZero();
      create(plane, "third");
    }
    try (LocalControlPlane plane = LocalControlPlane.open(directory)) {
      assertThat(plane.state().buckets())
          .extracting(Bucket::name)
          .containsExactly("first", "second", "third");
    }
  }

  @Test
  void missingLogOrSnapshotIsRefusedByName() throws IOException {
    try (LocalControlPlane plane = LocalControlPlane.open(directory, 1)) {
      create(plane, "first");
      create(plane, "second");
    }
    Path snapshot = directory.resolve("snapshot");
    Path aside = directory.resolve("aside");
    Files.move(snapshot, aside);
    assertThatThrownBy(() -> LocalControlPlane.open(directory))
        .hasMessageContaining("restore " + snapshot);
    Files.move(aside, snapshot);
    Files.delete(directory.resolve("log"));
    assertThatThrownBy(() -> LocalControlPlane.open(directory))
        .hasMessageContaining(directory.resolve("log") + " is missing beside");
  }

  @Test
  void fileOfAnotherProgramOrOfAnotherFormatIsRefused() throws IOException {
    LocalControlPlane.open(directory).close();
    byte[] log = Files.readAllBytes(directory.resolve("log"));
    log[11]++;
    Files.write(directory.resolve("log"), log);
    assertThatThrownBy(() -> LocalControlPlane.open(directory))
        .hasMessageContaining("has format version 5, this program reads 4");
    log[11] = 3;
    Files.write(directory.resolve("log"), log);
    assertThatThrownBy(() -> LocalControlPlane.open(directory))
        .hasMessageContaining("has format version 3, this program reads 4; start the version");
    Files.writeString(directory.resolve("log"), "a diary of somebody, long enough for a header");
    assertThatThrownBy(() -> LocalControlPlane.open(directory))
        .hasMessageContaining("does not begin with the magic of a control log");
  }

  @Test
  void leftoverOfAnUnfinishedReplacementIsNoMatter() throws IOException {
    try (LocalControlPlane plane = LocalControlPlane.open(directory)) {
      create(plane, "first");
    }
    Files.writeString(directory.resolve("snapshot.new"), "half");
    Files.writeString(directory.resolve("log.new"), "half");
    try (LocalControlPlane plane = LocalControlPlane.open(directory, 1)) {
      create(plane, "second");
      assertThat(plane.state().buckets()).hasSize(2);
    }
  }

  @Test
  void watcherSeesThePresentStateAndEveryNewerOneInOrder() throws IOException {
    List<Long> versions = new ArrayList<>();
    try (LocalControlPlane plane = LocalControlPlane.open(directory)) {
      create(plane, "first");
      ControlPlane.Watch watch = plane.watch(state -> versions.add(state.version()));
      create(plane, "second");
      create(plane, "third");
      watch.close();
      create(plane, "fourth");
    }
    assertThat(versions).containsExactly(2L, 3L, 4L);
  }

  @Test
  void commandsSubmittedAtOnceByManyAreAllThereAfterwards() throws IOException {
    try (LocalControlPlane plane = LocalControlPlane.open(directory, 2_000)) {
      List<CompletableFuture<CommandOutcome>> outcomes = new ArrayList<>();
      create(plane, "first");
      for (int i = 0; i < 200; i++) {
        outcomes.add(
            plane
                .submit(new Command.CreateBucket(i, "bucket-" + i, "u1", BucketSettings.PRIMARY))
                .toCompletableFuture());
      }
      outcomes.forEach(
          outcome -> assertThat(outcome.join()).isInstanceOf(CommandOutcome.Applied.class));
    }
    try (LocalControlPlane plane = LocalControlPlane.open(directory)) {
      assertThat(plane.state().buckets()).hasSize(201);
    }
  }

  @Test
  void outcomeIsUnknownWhereAFailedWriteCannotBeUndone() throws Exception {
    CountDownLatch applied = new CountDownLatch(1);
    CountDownLatch logClosed = new CountDownLatch(1);
    LocalControlPlane plane = LocalControlPlane.open(directory);
    plane.watch(state -> {
      if (state.version() > 0) {
        applied.countDown();
        awaitUninterrupted(logClosed);
      }
    });
    plane.submit(new Command.CreateUser(1, ALICE));
    applied.await();
    CompletableFuture<CommandOutcome> doubtful = createLater(plane, "doubtful");
    CompletableFuture<CommandOutcome> next = createLater(plane, "next");

    // An interrupted close does not wait for the commands that are submitted.
    Thread.currentThread().interrupt();
    plane.close();
    assertThat(Thread.interrupted()).isTrue();
    logClosed.countDown();

    assertThat(doubtful.join()).isInstanceOf(CommandOutcome.Unconfirmed.class);
    assertThat(next.join()).isInstanceOf(CommandOutcome.Unavailable.class);
  }

  private static CompletableFuture<CommandOutcome> createLater(
      LocalControlPlane plane, String name) {
    return plane
        .submit(new Command.CreateBucket(1, name, ALICE.id(), BucketSettings.PRIMARY))
        .toCompletableFuture();
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void closedPlaneAnswersUnavailable() throws IOException {
    LocalControlPlane plane = LocalControlPlane.open(directory);
    plane.close();
    assertThat(plane.submit(new Command.CreateUser(1, ALICE)).toCompletableFuture().join())
        .isEqualTo(new CommandOutcome.Unavailable("the control plane is closed"));
  }

  private static void submitAll(ControlPlane plane, long seed, int count) {
    RandomCommands commands = new RandomCommands(seed);
    ControlState expected = StateMachine.empty();
    for (int i = 0; i < count; i++) {
      Command command = commands.next();
      StateMachine.Transition transition = StateMachine.apply(expected, command);
      expected = transition.state();
      assertThat(plane.submit(command).toCompletableFuture().join())
          .isEqualTo(transition.outcome());
    }
  }

  private static void create(ControlPlane plane, String bucket) {
    plane.submit(new Command.CreateUser(1, ALICE)).toCompletableFuture().join();
    Command create = new Command.CreateBucket(2, bucket, "u1", BucketSettings.PRIMARY);
    assertThat(plane.submit(create).toCompletableFuture().join())
        .isInstanceOf(CommandOutcome.Applied.class);
  }
}
