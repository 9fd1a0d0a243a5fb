package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListRequest.ListObjects;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.NodeCalls;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.local.LocalTarget;
import dev.tarn.targetnode.local.NodeDisk;
import dev.tarn.targetnode.local.NodeDisks;
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.targetnode.membership.FixedView;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.memory.Chunks;
import dev.tarn.targetnode.store.read.ObjectReader;
import dev.tarn.targetnode.store.write.BodyWriting;
import dev.tarn.transport.body.DirectBuffers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that fails beside one that does not. */
final class TwoDisksTest {
  private static final BucketId BUCKET = new BucketId(1);
  private static final int KEYS = 40;
  @TempDir private Path directory;

  @Test
  void keysOfAFailedDiskAreUnavailableAndThoseOfTheOtherGoOn() throws IOException {
    SimulatedDisk failing = new SimulatedDisk(directory.resolve("failing"));
    SimulatedDisk sound = new SimulatedDisk(directory.resolve("sound"));
    try (ExecutorService workers = Executors.newFixedThreadPool(4);
        DiskStore failingStore = open(failing);
        DiskStore soundStore = open(sound)) {
      NodeCalls target = target(List.of(failingStore, soundStore), workers);
      Calls calls = new Calls(target, BUCKET);
      for (int i = 0; i < KEYS; i++) {
        value(calls.put("key-" + i, Scenario.bytes(i, 1000)));
      }
      failing.failWith("Input/output error", true);
      for (int i = 0; i < KEYS; i++) {
        calls.put("key-" + i, Scenario.bytes(i, 1000));
      }

      assertThat(failingStore.health().outOfService()).isPresent();
      assertThat(soundStore.health().outOfService()).isEmpty();
      int unavailable = 0;
      for (int i = 0; i < KEYS; i++) {
        unavailable += isUnavailable(calls, "key-" + i, Scenario.bytes(i, 1000)) ? 1 : 0;
      }
      assertThat(unavailable).isStrictlyBetween(0, KEYS);
      assertUnavailable(
          Calls.await(
              target.call(
                  new ListObjects(
                      new CallScope(BUCKET, 0, 0, CallContext.UNNAMED), "", "", "", 1000))));
    }
  }

  @Test
  void aPartCopiedFromNothingOnTheOtherDiskLeavesNoExtent() throws IOException {
    SimulatedDisk one = new SimulatedDisk(directory.resolve("one"));
    SimulatedDisk other = new SimulatedDisk(directory.resolve("other"));
    try (ExecutorService workers = Executors.newFixedThreadPool(4);
        DiskStore oneStore = open(one);
        DiskStore otherStore = open(other)) {
      Calls calls = new Calls(target(List.of(oneStore, otherStore), workers), BUCKET);
      value(calls.put("nothing", new byte[0]));
      for (int i = 0; i < KEYS; i++) {
        String key = "key-" + i;
        String upload = value(calls.create(key));
        ObjectPart part = value(calls.copyPart("nothing", key, upload, 1));
        value(calls.complete(key, upload, List.of(part)));
        assertThat(value(calls.get(key))).isEmpty();
      }
      assertThat(one.files("extents/")).isEmpty();
      assertThat(other.files("extents/")).isEmpty();
    }
  }

  /** Whether the key is unavailable to GET, PUT and DELETE alike; else it holds the bytes. */
  private static boolean isUnavailable(Calls calls, String key, byte[] bytes) {
    if (calls.get(key) instanceof Outcome.Success<byte[]> found) {
      assertThat(found.value()).isEqualTo(bytes);
      value(calls.put(key, bytes));
      value(calls.delete(key));
      return false;
    }
    assertUnavailable(calls.get(key));
    assertUnavailable(calls.put(key, bytes));
    assertUnavailable(calls.delete(key));
    return true;
  }

  private static void assertUnavailable(Outcome<?> outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.Unavailable.class));
  }

  private static DiskStore open(SimulatedDisk disk) throws IOException {
    return DiskStore.open(disk, OneDisk.SMALL, Clock.systemUTC(), () -> 0);
  }

  private static NodeCalls target(List<DiskStore> stores, ExecutorService workers) {
    CallJudge judge =
        new CallJudge(
            new FixedView(
                0,
                0,
                bucket -> FixedView.bucket(bucket, BucketSettings.PRIMARY, Versioning.OFF, 0)));
    LocalTarget local =
        new LocalTarget(
            judge,
            new NodeDisks(
                stores.stream().<NodeDisk>map(NodeDisk.Opened::new).toList(), judge.view()),
            new ObjectReader(new DirectBuffers(1 << 20), workers),
            new BodyWriting(new Chunks(8), workers),
            1000);
    return new NodeCalls(judge, local, local, new SimpleMeterRegistry());
  }
}
