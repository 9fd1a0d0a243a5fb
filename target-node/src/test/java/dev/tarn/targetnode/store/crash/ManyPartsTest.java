package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;
import static dev.tarn.targetnode.store.crash.Scenario.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.store.Change;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.extent.ExtentWriter;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Piece;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects that are in very many extents. */
final class ManyPartsTest {
  private static final int PIECES = 80;
  private static final int PIECE_BYTES = 5000;
  @TempDir private Path directory;
  private SimulatedDisk disk = new SimulatedDisk(Path.of("unused"));

  @BeforeEach
  void makeDisk() {
    disk = new SimulatedDisk(directory.resolve("index"));
  }

  /** Stores an object whose every piece is in an extent of its own. */
  private static byte[] store(OneDisk node, String key) throws IOException {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    List<Piece> pieces = new ArrayList<>();
    for (int i = 0; i < PIECES; i++) {
      byte[] bytes = bytes(i, PIECE_BYTES);
      whole.writeBytes(bytes);
      ExtentWriter extent = node.store().createExtent();
      extent.write(ByteBuffer.wrap(bytes));
      extent.finish(false);
      pieces.add(new Piece.ExtentRange(extent.id(), 0, PIECE_BYTES, extent.tableCrc()));
    }
    ObjectName name = new ObjectName(node.calls().bucket(), ObjectKey.of(key));
    commit(
        node,
        view ->
            new Decision.Write<>(
                new LogEntry.ObjectStored(
                    ObjectRecord.first(
                        metadata(name, view.nextVersion(), whole.size()), "", pieces)),
                true));
    return whole.toByteArray();
  }

  private static ObjectMetadata metadata(ObjectName name, ObjectVersion version, long sizeBytes) {
    return new ObjectMetadata(
        name,
        version,
        true,
        false,
        sizeBytes,
        "etag",
        List.of(),
        ObjectAttributes.NONE,
        version.clockMs(),
        List.of(),
        null);
  }

  private static void commit(OneDisk node, Change<Boolean> change) {
    node.store().commit(change, Durability.CHECKPOINT).toCompletableFuture().join();
  }

  @Test
  void aReadHoldsFewFilesOpen() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      byte[] whole = store(node, "object");
      int before = disk.openFiles();
      disk.openFilesMost();
      assertThat(value(node.calls().get("object"))).isEqualTo(whole);
      assertThat(disk.openFilesMost() - before).isLessThan(PIECES / 4);
    }
  }

  @Test
  void aReadThatHasBegunGoesOnAfterTheObjectIsDeleted() throws IOException {
    try (OneDisk node = new OneDisk(disk, OneDisk.SMALL)) {
      byte[] whole = store(node, "object");
      ObjectRead read = value(node.calls().begin("object"));
      value(node.calls().delete("object"));
      commit(node, view -> new Decision.Nothing<>(true));
      assertThat(Calls.read(read)).isEqualTo(whole);
    }
    assertThat(disk.files("extents/")).isEmpty();
  }
}
