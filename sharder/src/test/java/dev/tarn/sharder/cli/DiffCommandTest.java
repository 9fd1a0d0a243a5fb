package dev.tarn.sharder.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.storage.LocalStorage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.diff.DatasetDiff;
import dev.tarn.sharder.diff.Difference;
import dev.tarn.sharder.diff.Difference.Kind;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.sort.SortSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiffCommandTest {
  @TempDir Path directory;

  private static CommandLineRun diff(Object... arguments) {
    Object[] all = new Object[arguments.length + 1];
    all[0] = "diff";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return CommandLineRun.of(all);
  }

  private Path shard(String name, String... namesAndContents) throws IOException {
    ShardFiles files = new ShardFiles();
    for (int i = 0; i < namesAndContents.length; i += 2) {
      files.with(namesAndContents[i], namesAndContents[i + 1]);
    }
    return files.write(directory.resolve(name));
  }

  @Test
  void sameSamplesInOtherShardsAndOrdersAreTheSame() throws IOException {
    Path source = Files.createDirectories(directory.resolve("source/d"));
    for (int i = 0; i < 50; i++) {
      Files.writeString(source.resolve(i + ".txt"), "text " + i, UTF_8);
      Files.writeString(source.resolve(i + ".cls"), "" + i, UTF_8);
    }
    Path one = directory.resolve("one");
    Path two = directory.resolve("two");
    CommandLineRun.of("pack", directory.resolve("source"), one, "--max-count", "7");
    CommandLineRun.of("pack", directory.resolve("source"), two, "--seed", "3");

    CommandLineRun diff = diff(one, two);

    assertThat(diff.exitCode()).as(diff.err()).isZero();
    assertThat(diff.out().lines())
        .containsExactly("50 samples are the same, 0 added, 0 removed, 0 changed, 0 moved");
  }

  @Test
  void whatBecameOfEachSampleIsSaidInTheOrderOfKeys() throws IOException {
    Path old =
        shard(
            "old.tar",
            "a.txt",
            "a",
            "b.txt",
            "b",
            "c.txt",
            "c",
            "d.txt",
            "d",
            "d.cls",
            "1",
            "e.txt",
            "e",
            "\udcff.txt",
            "odd");
    Path fresh =
        shard(
            "new.tar", "0.txt", "c", "a.txt", "a", "b.txt", "B", "d.txt", "d", "d.cls", "1",
            "f.txt", "f");

    CommandLineRun diff = diff(old, fresh);

    assertThat(diff.exitCode()).isEqualTo(1);
    assertThat(diff.out().lines())
        .containsExactly(
            "changed  b",
            "moved    c -> 0",
            "removed  e",
            "added    f",
            "removed  \"\\udcff\"",
            "2 samples are the same, 1 added, 2 removed, 1 changed, 1 moved");
    assertThat(diff(fresh, old).out())
        .contains("moved    0 -> c", "added    e", "removed  f", "changed  b");
  }

  @Test
  void anotherExtensionIsAChange() throws IOException {
    Path old = shard("old.tar", "a.jpg", "x", "b.JPG", "x");
    Path fresh = shard("new.tar", "a.jpeg", "x", "b.jpg", "x");

    assertThat(diff(old, fresh).out().lines())
        .containsExactly(
            "changed  a", "1 sample is the same, 0 added, 0 removed, 1 changed, 0 moved");
  }

  @Test
  void keysThatAreThereSeveralTimesAreCountedSo() throws IOException {
    Path old = shard("old.tar", "a.txt", "1", "b.x", "", "a.cls", "2", "c.x", "", "a.bin", "3");
    Path fresh =
        shard(
            "new.tar", "a.cls", "2", "b.x", "", "a.txt", "4", "c.x", "", "a.y", "5", "d.x", "9",
            "a.z", "6");

    CommandLineRun diff = diff(old, fresh);

    assertThat(diff.out().lines())
        .containsExactly(
            "added    a",
            "changed  a",
            "changed  a",
            "added    d",
            "3 samples are the same, 2 added, 0 removed, 2 changed, 0 moved");
  }

  @Test
  void programsGetADifferenceALine() throws IOException {
    Path old = shard("old.tar", "a.txt", "x", "b.txt", "y");
    Path fresh = shard("new.tar", "c.txt", "x");

    assertThat(diff(old, fresh, "--json").out().lines())
        .containsExactly(
            "{\"event\":\"difference\",\"kind\":\"moved\",\"key\":\"a\",\"new_key\":\"c\"}",
            "{\"event\":\"difference\",\"kind\":\"removed\",\"key\":\"b\"}",
            "{\"event\":\"summary\",\"command\":\"diff\",\"same\":0,\"added\":0,\"removed\":1,"
                + "\"changed\":0,\"moved\":1}");
  }

  @Test
  void manyMoreSamplesThanMemoryHoldsAreCompared() throws IOException, InterruptedException {
    ShardFiles old = new ShardFiles();
    ShardFiles fresh = new ShardFiles();
    for (int i = 0; i < 60_000; i++) {
      old.with(i + ".txt", "" + i);
      fresh.with((i < 20_000 ? i : i + 100_000) + ".txt", i % 3 == 0 ? "" + i : "new " + i);
    }
    ShardPlace before = place(old.write(directory.resolve("old.tar")));
    ShardPlace after = place(fresh.write(directory.resolve("new.tar")));
    List<Difference> found = new ArrayList<>();

    try (LocalStorage storage = new LocalStorage()) {
      SortSpace little = new SortSpace(directory, 1);
      DatasetDiff diff =
          new DatasetDiff(new ShardAccess(storage, little.folder()), little, 2, new Progress());
      diff.compare(List.of(before), List.of(after), found::add);

      assertThat(diff.same()).isEqualTo(6_667);
      assertThat(diff.count(Kind.CHANGED)).isEqualTo(13_333);
      assertThat(diff.count(Kind.MOVED)).isEqualTo(13_333);
      assertThat(diff.count(Kind.REMOVED)).isEqualTo(26_667);
      assertThat(diff.count(Kind.ADDED)).isEqualTo(26_667);
    }
    assertThat(found).hasSize(80_000).isSortedAccordingTo(Comparator.comparing(Difference::key));
    assertThat(found).contains(new Difference(Kind.MOVED, "20001", "120001"));
  }

  private static ShardPlace place(Path shard) {
    return ShardPlace.of(StorageUrl.parse(shard.toString()));
  }

  @Test
  void wrongUsageAndMissingDatasetsAreSaid() {
    assertThat(diff("a.tar").exitCode()).isEqualTo(2);
    assertThat(diff("a", "b", "c").exitCode()).isEqualTo(2);
    assertThat(diff(directory.resolve("a"), directory.resolve("b")).err())
        .contains("there is no dataset");
  }
}
