package dev.tarn.cluster.control.local;

import dev.tarn.cluster.control.ControlCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * The start of every file of the control plane: magic, format version, required-feature flags, the
 * state version at which the file begins, and a CRC32C over these.
 *
 * @param kind of the file
 * @param stateVersion for a log, the version before its first record; for a snapshot, its own
 */
record FileHeader(Kind kind, long stateVersion) {
  static final int SIZE = 32;

  /** Flags for features a reader must know; none are defined yet. */
  private static final long KNOWN_FLAGS = 0;

  private static final int CRC_OFFSET = SIZE - Integer.BYTES;

  /** The two kinds of files, with their magics. */
  enum Kind {
    LOG("TARNCLOG", "control log"),
    SNAPSHOT("TARNCSNP", "control snapshot");

    private final long magic;
    private final String title;

    Kind(String magic, String title) {
      this.title = title;
      this.magic = ByteBuffer.wrap(magic.getBytes(StandardCharsets.US_ASCII)).getLong();
    }
  }

  ByteBuffer encode() {
    ByteBuffer bytes = ByteBuffer.allocate(SIZE);
    bytes.putLong(kind.magic);
    bytes.putInt(ControlCodec.FORMAT_VERSION);
    bytes.putLong(KNOWN_FLAGS);
    bytes.putLong(stateVersion);
    bytes.putInt(crc(bytes));
    return bytes.flip();
  }

  /** Decodes a header at the bytes' position; throws if this program cannot use the file. */
  static FileHeader decode(Path file, Kind kind, ByteBuffer bytes)
      throws CorruptControlFileException {
    if (bytes.remaining() < SIZE) {
      throw new CorruptControlFileException(
          file, "has " + bytes.remaining() + " bytes, its header alone needs " + SIZE);
    }
    ByteBuffer header = bytes.slice(bytes.position(), SIZE);
    bytes.position(bytes.position() + SIZE);
    if (header.getLong() != kind.magic) {
      throw new CorruptControlFileException(
          file, "does not begin with the magic of a " + kind.title);
    }
    int formatVersion = header.getInt();
    if (formatVersion != ControlCodec.FORMAT_VERSION) {
      throw new CorruptControlFileException(
          file,
          "has format version "
              + formatVersion
              + ", this program reads "
              + ControlCodec.FORMAT_VERSION
              + "; start the version of Tarn that wrote it");
    }
    long flags = header.getLong();
    long stateVersion = header.getLong();
    if (header.getInt() != crc(header)) {
      throw new CorruptControlFileException(file, "has a header that fails its checksum");
    }
    if ((flags & ~KNOWN_FLAGS) != 0) {
      throw new CorruptControlFileException(
          file,
          "requires features that this program does not know (flags 0x"
              + Long.toHexString(flags & ~KNOWN_FLAGS)
              + "); start the version of Tarn that wrote it");
    }
    return new FileHeader(kind, stateVersion);
  }

  private static int crc(ByteBuffer header) {
    CRC32C crc = new CRC32C();
    crc.update(header.duplicate().position(0).limit(CRC_OFFSET));
    return (int) crc.getValue();
  }
}
