package dev.tarn.cluster.control.local;

import dev.tarn.cluster.control.ControlCodec;
import dev.tarn.cluster.control.ControlState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** The file of one complete state: header, CRC32C over the state's bytes, these bytes. */
public final class SnapshotFile {
  private SnapshotFile() {}

  /** Writes the state to a file durably and atomically, private to its owner. */
  public static void write(Path file, ControlState state) throws IOException {
    write(file, ControlCodec.STATE.encode(state), state.version());
  }

  /** Writes the encoded state of this version in the same way. */
  public static void write(Path file, byte[] bytes, long version) throws IOException {
    ByteBuffer checksum = ByteBuffer.allocate(Integer.BYTES).putInt(crc(bytes)).flip();
    FileHeader header = new FileHeader(FileHeader.Kind.SNAPSHOT, version);
    DurableFiles.replace(file, header.encode(), checksum, ByteBuffer.wrap(bytes));
  }

  /**
   * Reads the state that {@link #write} wrote.
   *
   * @throws CorruptControlFileException naming what is wrong with the file
   */
  public static ControlState read(Path file) throws IOException {
    ByteBuffer contents = ByteBuffer.wrap(Files.readAllBytes(file));
    FileHeader header = FileHeader.decode(file, FileHeader.Kind.SNAPSHOT, contents);
    if (contents.remaining() < Integer.BYTES) {
      throw new CorruptControlFileException(file, "ends before its checksum");
    }
    int checksum = contents.getInt();
    byte[] bytes = new byte[contents.remaining()];
    contents.get(bytes);
    if (checksum != crc(bytes)) {
      throw new CorruptControlFileException(
          file, "fails its checksum; restore the file from a copy");
    }
    ControlState state = ControlCodec.STATE.decode(bytes);
    if (state.version() != header.stateVersion()) {
      throw new CorruptControlFileException(
          file,
          "holds state version "
              + state.version()
              + " under a header that says "
              + header.stateVersion());
    }
    return state;
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
