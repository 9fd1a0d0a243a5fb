package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.codec.FieldWriter;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.targetnode.store.Change;
import dev.tarn.targetnode.store.CommitResult;
import dev.tarn.targetnode.store.CommitView;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.log.Log;
import dev.tarn.targetnode.store.log.RecordLocation;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.LogEntryCodec;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.PartRecord;
import dev.tarn.targetnode.store.record.Piece;
import dev.tarn.targetnode.store.record.StoredRevision;
import dev.tarn.targetnode.store.space.Compactor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries with fields and kinds of a newer release on a disk that this release opens. */
final class NewerReleaseTest {
  private static final byte[] UNKNOWN_KIND =
      new FieldWriter().required(9).encoded(9, new byte[] {0}).toMessage();
  private static final ObjectName NAME = new ObjectName(new BucketId(1), ObjectKey.of("newer"));

  @TempDir private Path directory;
  private SimulatedDisk disk = new SimulatedDisk(Path.of("unused"));

  @BeforeEach
  void makeDisk() {
    disk = new SimulatedDisk(directory.resolve("index"));
  }

  @Test
  void optionalFieldsSurviveCompactionAndARebuildOfTheIndex() throws IOException {
    byte[] payload = {1, 2, 3};
    ObjectName deleted = new ObjectName(new BucketId(1), ObjectKey.of("deleted"));
    ObjectName aborted = new ObjectName(new BucketId(1), ObjectKey.of("aborted"));
    String upload;
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      value(node.calls().put("valid", new byte[4000]));
      value(node.calls().put("deleted", payload));
      upload = value(node.calls().create("aborted"));
    }
    List<byte[]> written = new ArrayList<>();
    disk = disk.afterKill();
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      commit(node, view -> write(written, stored(view, payload.length), payload));
      commit(
          node,
          view ->
              write(written, new LogEntry.ObjectDeleted(deleted, view.nextVersion()), new byte[0]));
      commit(
          node, view -> write(written, new LogEntry.UploadAborted(aborted, upload), new byte[0]));
      for (int i = 0; i < 14; i++) {
        value(node.calls().put("overwritten", new byte[4000]));
      }
    }
    disk = disk.afterKill();
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      List<RecordLocation> before = written.stream().map(bytes -> only(node, bytes)).toList();
      assertThat(new Compactor(node.store()).compact(Integer.MAX_VALUE)).isPositive();
      for (int i = 0; i < written.size(); i++) {
        assertThat(places(node, written.get(i))).isNotEmpty().doesNotContain(before.get(i));
      }
      assertThat(value(node.calls().get("newer"))).isEqualTo(payload);
    }
    Files.move(directory.resolve("index"), directory.resolve("old-index"));
    try (OneDisk node = new OneDisk(disk.afterKill(), OneDisk.SMALL)) {
      for (byte[] bytes : written) {
        assertThat(places(node, bytes)).isNotEmpty();
      }
      assertThat(value(node.calls().get("newer"))).isEqualTo(payload);
    }
  }

  private static RecordLocation only(OneDisk node, byte[] bytes) {
    try {
      List<RecordLocation> places = places(node, bytes);
      assertThat(places).hasSize(1);
      return places.getFirst();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<RecordLocation> places(OneDisk node, byte[] bytes) throws IOException {
    List<RecordLocation> places = new ArrayList<>();
    for (long segment : node.store().log().segments().keySet()) {
      node.store()
          .log()
          .scan(
              Log.firstIn(segment),
              (location, sequence, entry, intact) -> {
                if (Arrays.equals(entry, bytes)) {
                  places.add(location);
                }
              });
    }
    return places;
  }

  @Test
  void entryOfAnUnknownKindIsRefusedByItsPlaceWhereverTheStartMeetsIt() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      commit(
          node,
          view ->
              new Decision.Write<>(stored(view, 3), UNKNOWN_KIND, ByteBuffer.allocate(3), true));
    }
    String segment = disk.files("log/").getFirst();
    String place = "Reading segment 1 at byte 64 failed: LogEntry: ";
    String cause = "alternative 9 is not known to this release";
    Files.move(directory.resolve("index"), directory.resolve("old-index"));
    assertRefused(disk.afterKill(), place, cause);
    disk.corrupt(segment, 64 + 48 + UNKNOWN_KIND.length + 1);
    assertRefused(disk.afterKill(), place, cause);
    // The first start has not committed a position past the record.
    disk = disk.afterKill();
    assertRefused(disk, place, cause);
    assertRefused(disk.afterKill(), place, cause);
  }

  @Test
  void entryOfAnUnknownKindInAnOldSegmentIsRefused() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      commit(
          node,
          view ->
              new Decision.Write<>(stored(view, 3), UNKNOWN_KIND, ByteBuffer.allocate(3), true));
      for (int i = 0; i < 48; i++) {
        value(node.calls().put("later", new byte[4000]));
      }
    }
    assertThat(disk.files("log/")).hasSizeGreaterThan(2);
    Files.move(directory.resolve("index"), directory.resolve("old-index"));
    assertRefused(
        disk.afterKill(), "Reading segment 1 at byte 64 failed: ", "alternative 9 is not known");
  }

  @Test
  void entryOfTheIndexThatCannotBeReadIsANamedFailureOfTheStart() throws IOException {
    OneDisk node = new OneDisk(disk, OneDisk.SMALL);
    PartRecord part =
        new PartRecord(
            "upload", StoredRevision.first(0), new ObjectPart(1, 0, "e", List.of(), 0), List.of());
    LogEntry entry = new LogEntry.PartStored(NAME, part);
    commit(node, view -> new Decision.Write<>(entry, UNKNOWN_KIND, ByteBuffer.allocate(0), true));
    node.switchTo(BucketSettings.Durability.OS);
    value(node.calls().put("replayed", new byte[10]));
    node.crash();
    disk = disk.afterKill();
    assertRefused(disk, "Reading the index of ", "alternative 9 is not known");
    assertRefused(
        disk.afterKill(),
        "alternative 9 is not known",
        "or stop the node and remove " + directory.resolve("index"));
  }

  private static void assertRefused(SimulatedDisk disk, String place, String cause) {
    assertThatThrownBy(() -> new OneDisk(disk, OneDisk.SMALL).close())
        .isInstanceOf(UnreadableFormatException.class)
        .hasMessageContaining(place)
        .hasMessageContaining(cause)
        .hasMessageContaining("start the release that wrote it");
  }

  private static LogEntry stored(CommitView view, int length) {
    return new LogEntry.ObjectStored(
        ObjectRecord.first(
            new ObjectMetadata(
                NAME,
                view.nextVersion(),
                true,
                false,
                length,
                "etag",
                List.of(),
                ObjectAttributes.NONE,
                view.nowMs(),
                List.of(),
                null),
            "",
            List.of(new Piece.Inline(length))));
  }

  /** Writes an entry with an optional field that this release does not know. */
  private static Decision<Boolean> write(List<byte[]> written, LogEntry entry, byte[] payload) {
    byte[] known = LogEntryCodec.encode(entry);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(known, 0, known.length - 2);
    bytes.writeBytes(new FieldWriter().text(100, "of a newer release").toMessage());
    bytes.write(0);
    written.add(bytes.toByteArray());
    return new Decision.Write<>(entry, bytes.toByteArray(), ByteBuffer.wrap(payload), true);
  }

  private static void commit(OneDisk node, Change<Boolean> change) {
    assertThat(node.store().commit(change, Durability.CHECKPOINT).toCompletableFuture().join())
        .isInstanceOf(CommitResult.Committed.class);
  }
}
