package dev.tarn.targetnode.local;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Selection;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of objects whose bytes were damaged on their disk. */
final class DamagedSourceTest {
  private static final int EXTENT_HEADER_BYTES = 4096;

  private final SimulatedDisk first;
  private final SimulatedDisk second;
  private final SimulatedDisks disks;
  private final Calls calls;
  private String source = "";

  DamagedSourceTest(@TempDir Path directory) throws IOException {
    first = new SimulatedDisk(directory.resolve("first"));
    second = new SimulatedDisk(directory.resolve("second"));
    disks = new SimulatedDisks(first, second);
    calls = disks.calls();
  }

  @BeforeEach
  void choose() {
    source = disks.keyOn(0, "source-");
  }

  @AfterEach
  void close() throws IOException {
    disks.close();
  }

  @Test
  void copyWithChecksumsOfItsOwnFailsAndShowsNothing() {
    damagedExtent(20_000);
    String to = disks.keyOn(0, "copy-");

    isNamed(calls.copy(source, to, Set.of(ChecksumAlgorithm.CRC32C)));

    assertThat(calls.get(to)).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
  }

  @Test
  void copyToAnotherDiskFailsAndLeavesNoExtent() {
    damagedExtent(3 << 20);
    String to = disks.keyOn(1, "copy-");

    isNamed(calls.copy(source, to, Set.of()));
    isNamed(calls.copy(source, to, Set.of(ChecksumAlgorithm.SHA256)));

    assertThat(calls.get(to)).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
    assertThat(second.files("extents/")).isEmpty();
  }

  @Test
  void copyOfADamagedRecordFailsOnEachDisk() {
    damagedRecord();
    for (int disk = 0; disk < 2; disk++) {
      String to = disks.keyOn(disk, "copy-");

      isNamed(calls.copy(source, to, Set.of()));

      assertThat(calls.get(to)).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
    }
  }

  @Test
  void newTagsAreNotWrittenBesideADamagedRecord() {
    damagedRecord();

    isNamed(calls.setTags(source, Map.of("k", "v")));
  }

  @Test
  void partThatSharesItsSourcesExtentFails() {
    damagedExtent(20_000);

    isRefusedAsPart(disks.keyOn(0, "parts-"), Selection.WHOLE);
  }

  @Test
  void partOnAnotherDiskFailsAndLeavesNoExtent() {
    damagedExtent(20_000);

    isRefusedAsPart(disks.keyOn(1, "parts-"), Selection.WHOLE);
    assertThat(second.files("extents/")).isEmpty();
  }

  @Test
  void rangeBesideTheDamageFailsIfItsBlockIsDamaged() {
    damagedExtent(20_000);

    isRefusedAsPart(disks.keyOn(1, "parts-"), new Selection.Range(0, 9));
  }

  @Test
  void rangeOfSoundBlocksIsCopied() {
    byte[] bytes = damagedExtent(3 << 20);
    String key = disks.keyOn(1, "parts-");
    String upload = value(calls.create(key));
    Selection firstBlock = new Selection.Range(5, (1 << 20) - 1);

    ObjectPart part = value(calls.copyPart(source, firstBlock, key, upload, 1));

    assertThat(part.sizeBytes()).isEqualTo((1 << 20) - 5);
    value(calls.complete(key, upload, List.of(part)));
    assertThat(value(calls.get(key))).isEqualTo(Arrays.copyOfRange(bytes, 5, 1 << 20));
  }

  @Test
  void partOfADamagedRecordFailsOnEachDisk() {
    damagedRecord();
    for (int disk = 0; disk < 2; disk++) {
      isRefusedAsPart(disks.keyOn(disk, "parts-"), Selection.WHOLE);
      isRefusedAsPart(disks.keyOn(disk, "parts-"), new Selection.Range(0, 9));
    }
  }

  private void isRefusedAsPart(String key, Selection selection) {
    String upload = value(calls.create(key));
    isNamed(calls.copyPart(source, selection, key, upload, 1));
    assertThat(value(calls.parts(key, upload))).isEmpty();
  }

  /** Whether the failure names the object and its disk. */
  private void isNamed(Outcome<?> outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed ->
                assertThat(failed.failure())
                    .isInstanceOfSatisfying(
                        Failure.Corrupt.class,
                        corrupt ->
                            assertThat(corrupt.message()).contains(source, "disk simulated")));
  }

  /** Puts the source into an extent and flips a bit in the middle; returns the bytes as put. */
  private byte[] damagedExtent(int length) {
    byte[] bytes = bytes(length);
    value(calls.put(source, bytes));
    first.corrupt(first.files("extents/").getFirst(), EXTENT_HEADER_BYTES + length / 2);
    return bytes;
  }

  private void damagedRecord() {
    value(calls.put(source, bytes(1000)));
    first.corrupt(first.files("log/").getFirst(), 64 + 600);
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }
}
