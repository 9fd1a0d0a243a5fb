package dev.tarn.targetnode;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.membership.FixedView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TargetNodeTest {
  private static final BucketId BUCKET = new BucketId(1);
  @TempDir private Path directory;

  private TargetNode open(int disks) throws IOException {
    return open(directory, disks);
  }

  private static TargetNode open(Path folder, int disks) throws IOException {
    List<Path> paths =
        IntStream.range(0, disks).mapToObj(disk -> folder.resolve("disk" + disk)).toList();
    return TargetNode.open(
        TargetNodeConfig.of(folder, paths),
        new FixedView(
            0, 0, bucket -> FixedView.bucket(bucket, BucketSettings.PRIMARY, Versioning.OFF, 0)));
  }

  private static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @Test
  void objectsOfEverySizeSurviveARestart() throws IOException {
    int[] sizes = {0, 1, 8192, 262_144, 262_145, 1_048_576, 5_000_000};
    try (TargetNode node = open(2)) {
      Calls calls = new Calls(node.target(), BUCKET);
      for (int size : sizes) {
        value(calls.put("size-" + size, bytes(size, size)));
        assertThat(value(calls.get("size-" + size))).isEqualTo(bytes(size, size));
      }
    }
    try (TargetNode node = open(2)) {
      Calls calls = new Calls(node.target(), BUCKET);
      for (int size : sizes) {
        assertThat(value(calls.get("size-" + size))).isEqualTo(bytes(size, size));
      }
      assertThat(value(calls.get("size-5000000", new Selection.Range(1_048_000, 1_148_575))))
          .isEqualTo(Arrays.copyOfRange(bytes(5_000_000, 5_000_000), 1_048_000, 1_148_576));
      assertThat(calls.list("", "", 2)).hasSize(sizes.length).isSorted();
    }
  }

  @Test
  void nodeWhoseFolderWasMovedHasAllItHad() throws IOException {
    Path before = directory.resolve("before");
    Path after = directory.resolve("after");
    try (TargetNode node = open(before, 2)) {
      Calls calls = new Calls(node.target(), BUCKET);
      for (int i = 0; i < 8; i++) {
        value(calls.put("key-" + i, bytes(i, 100)));
      }
    }
    Files.move(before, after);
    try (TargetNode node = open(after, 2)) {
      Calls calls = new Calls(node.target(), BUCKET);
      for (int i = 0; i < 8; i++) {
        assertThat(value(calls.get("key-" + i))).isEqualTo(bytes(i, 100));
      }
    }
  }

  @Test
  void diskThatIsLeftOutIsMissedRatherThanItsObjects() throws IOException {
    open(2).close();

    assertThatThrownBy(() -> open(1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("disk " + directory.resolve("disk1") + " is left out");
    open(2).close();
  }

  @Test
  void diskThatIsAddedIsRefusedAsItNeedsARebalance() throws IOException {
    try (TargetNode node = open(2)) {
      value(new Calls(node.target(), BUCKET).put("key", bytes(1, 10)));
    }

    assertThatThrownBy(() -> open(3))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("disk " + directory.resolve("disk2") + " is new")
        .hasMessageContaining("needs a rebalance, which Tarn cannot do yet");
    assertThat(directory.resolve("disk2")).doesNotExist();
    try (TargetNode node = open(2)) {
      assertThat(value(new Calls(node.target(), BUCKET).get("key"))).isEqualTo(bytes(1, 10));
    }
  }

  @Test
  void diskBesideItsCopyIsRefused() throws IOException {
    open(1).close();
    try (Stream<Path> files = Files.walk(directory.resolve("disk0"))) {
      for (Path file : files.toList()) {
        Path relative = directory.resolve("disk0").relativize(file);
        Files.copy(file, directory.resolve("disk1").resolve(relative.toString()));
      }
    }

    assertThatThrownBy(() -> open(2))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("are the same");
    open(1).close();
  }

  @Test
  void completingAnUploadJoinsItsPartsAndCanBeRepeated() throws IOException {
    try (TargetNode node = open(1)) {
      Calls calls = new Calls(node.target(), BUCKET);
      String upload = value(calls.create("large"));
      List<ObjectPart> parts = new ArrayList<>();
      parts.add(value(calls.putPart("large", upload, 2, bytes(2, 5 << 20))));
      value(calls.putPart("large", upload, 7, bytes(3, 100)));
      parts.add(value(calls.putPart("large", upload, 7, bytes(4, 1000))));
      var first = value(calls.complete("large", upload, parts));
      assertThat(value(calls.complete("large", upload, parts))).isEqualTo(first);
      assertThat(first.etag()).endsWith("-2");
      byte[] whole = value(calls.get("large"));
      assertThat(whole).hasSize((5 << 20) + 1000).startsWith(bytes(2, 5 << 20));
      value(calls.copy("large", "copy"));
      value(calls.delete("large"));
      assertThat(value(calls.get("copy"))).isEqualTo(whole);
    }
  }

  @Test
  void ofThirtyTwoConditionalCreatesExactlyOneSucceeds() throws Exception {
    Preconditions absent =
        new Preconditions(List.of(), List.of("*"), OptionalLong.empty(), OptionalLong.empty());
    try (TargetNode node = open(1);
        var threads = Executors.newFixedThreadPool(32)) {
      Calls calls = new Calls(node.target(), BUCKET);
      List<Callable<Boolean>> tries = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        byte[] mine = bytes(i, 100);
        tries.add(() -> calls.put("one", mine, absent) instanceof Outcome.Success);
      }
      int successes = 0;
      for (var outcome : threads.invokeAll(tries)) {
        successes += outcome.get() ? 1 : 0;
      }
      assertThat(successes).isEqualTo(1);
    }
  }

  @Test
  void deletedObjectsAreMissingAfterARestart() throws IOException {
    try (TargetNode node = open(1)) {
      Calls calls = new Calls(node.target(), BUCKET);
      value(calls.put("a/1", bytes(1, 10)));
      value(calls.put("a/2", bytes(1, 10)));
      value(calls.put("b", bytes(2, 10)));
      assertThat(calls.list("", "/", 1)).containsExactly("a/", "b");
      value(calls.delete("b"));
    }
    try (TargetNode node = open(1)) {
      Calls calls = new Calls(node.target(), BUCKET);
      assertThat(calls.get("b")).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
      assertThat(calls.list("", "", 10)).containsExactly("a/1", "a/2");
    }
  }
}
