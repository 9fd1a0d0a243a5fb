package dev.tarn.targetnode.store;

import dev.tarn.cluster.map.DiskId;
import dev.tarn.targetnode.store.disk.Disk;
import dev.tarn.targetnode.store.disk.DiskFile;
import dev.tarn.targetnode.store.disk.FormatHeader;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.extent.Extents;
import dev.tarn.targetnode.store.log.Log;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The file that marks a directory as a disk of Tarn and holds the disk's id. It is written last
 * when a disk is created, so a disk that has it has all of its directories.
 */
final class DiskIdentity {
  private static final String PATH = "disk";
  private static final String DRAFT = "disk.new";
  private static final String MAGIC = "TARNDISK";

  private DiskIdentity() {}

  /** The disk's id; empty for a disk that has not been created. */
  static Optional<DiskId> read(Disk disk) throws IOException {
    if (!disk.exists(PATH)) {
      return Optional.empty();
    }
    DiskFile file = disk.open(PATH);
    try (file) {
      String name = disk.description() + "/" + PATH;
      ByteBuffer header = ByteBuffer.allocateDirect(FormatHeader.LENGTH);
      if (file.length() < FormatHeader.LENGTH) {
        throw new UnreadableFormatException(
            UnreadableFormatException.Reason.DAMAGED, name + " is shorter than its header");
      }
      file.read(header, 0);
      long number = FormatHeader.decode(header, MAGIC, name).first();
      return Optional.of(idOf(number));
    }
  }

  /** Creates the disk: its directories and a new identity. */
  static DiskId create(Disk disk) throws IOException {
    if (disk.exists("log") && !disk.list("log").isEmpty()) {
      throw new UnreadableFormatException(
          UnreadableFormatException.Reason.DAMAGED,
          disk.description()
              + " holds a log but not the file '"
              + PATH
              + "' that names the disk; restore that file, or give an empty directory");
    }
    makeDirectories(disk);
    long number = ThreadLocalRandom.current().nextLong();
    disk.delete(DRAFT);
    DiskFile file = disk.create(DRAFT);
    try (file) {
      file.write(FormatHeader.of(MAGIC, number, 0).encode(), 0);
      file.sync();
    }
    disk.rename(DRAFT, PATH);
    disk.syncDirectory("");
    return idOf(number);
  }

  private static void makeDirectories(Disk disk) throws IOException {
    Log.format(disk);
    Extents.format(disk);
    disk.syncDirectory("");
  }

  private static DiskId idOf(long number) {
    return new DiskId("disk-" + HexFormat.of().toHexDigits(number));
  }
}
