package dev.tarn.targetnode.local;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies whose source is overwritten or deleted while it is read. */
final class CopyRaceTest {
  private static final byte[] OLD = filled(20_000, 1);
  private static final byte[] NEW = filled(30_000, 2);

  private final RacingDisk racing;
  private final SimulatedDisks disks;
  private final Calls calls;
  private String source = "";

  CopyRaceTest(@TempDir Path directory) throws IOException {
    racing = new RacingDisk(new SimulatedDisk(directory.resolve("racing")));
    disks = new SimulatedDisks(racing, new SimulatedDisk(directory.resolve("other")));
    calls = disks.calls();
  }

  @BeforeEach
  void putSource() {
    source = disks.keyOn(0, "source-");
    value(calls.put(source, OLD));
  }

  @AfterEach
  void close() throws IOException {
    disks.close();
  }

  @Test
  void copyToEachDiskThatLosesToAnOverwriteIsOfTheNewBytes() {
    for (int disk = 0; disk < 2; disk++) {
      value(calls.put(source, OLD));
      racing.beforeOpening("extents/", this::overwrite);
      String to = disks.keyOn(disk, "copy-");

      value(calls.copy(source, to, Set.of(ChecksumAlgorithm.CRC32C)));

      assertThat(value(calls.get(to))).isEqualTo(NEW);
    }
  }

  @Test
  void partOnEachDiskThatLosesToAnOverwriteIsOfTheNewBytes() {
    for (int disk = 0; disk < 2; disk++) {
      value(calls.put(source, OLD));
      racing.beforeOpening("extents/", this::overwrite);

      assertThat(copiedAsPart(disks.keyOn(disk, "parts-"))).isEqualTo(NEW);
    }
  }

  @Test
  void partThatWouldShareAnExtentThatIsGoneAtTheCommitIsOfTheNewBytes() {
    racing.afterOpening("extents/", this::overwrite);

    assertThat(copiedAsPart(disks.keyOn(0, "parts-"))).isEqualTo(NEW);
  }

  @Test
  void readThatLosesToAnOverwriteIsOfTheNewBytes() {
    racing.beforeOpening("extents/", this::overwrite);

    assertThat(value(calls.get(source))).isEqualTo(NEW);
  }

  @Test
  void copyOfAnObjectThatIsDeletedMeanwhileFindsNoSource() {
    racing.beforeOpening("extents/", () -> value(calls.delete(source)));
    String to = disks.keyOn(1, "copy-");

    assertThat(calls.copy(source, to)).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
    assertThat(calls.get(to)).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
  }

  private void overwrite() {
    value(calls.put(source, NEW));
  }

  private byte[] copiedAsPart(String key) {
    String upload = value(calls.create(key));
    ObjectPart part = value(calls.copyPart(source, key, upload, 1));
    value(calls.complete(key, upload, List.of(part)));
    return value(calls.get(key));
  }

  private static byte[] filled(int length, int with) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) with);
    return bytes;
  }
}
