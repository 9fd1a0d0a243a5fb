package dev.tarn.targetnode.store.extent;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.codec.MalformedMessageException;
import dev.tarn.cluster.object.ObjectCodecs;
import dev.tarn.targetnode.store.disk.DiskFile;
import dev.tarn.targetnode.store.disk.FormatHeader;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.record.Unit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The first {@link #LENGTH} bytes of a unit's file: a {@link FormatHeader} with the length of what
 * follows and its CRC32C, then the names of the unit.
 *
 * @param unit that the file is
 * @param boot the {@linkplain dev.tarn.targetnode.store.disk.Disk#boot boot} under which the bytes
 *     were written or verified
 */
record UnitHeader(Unit unit, String boot) {
  /** The length in bytes; the unit's bytes follow. */
  static final int LENGTH = (int) ExtentFooter.DATA_OFFSET;

  private static final int NAMES_MAX = LENGTH - FormatHeader.LENGTH;
  private static final String MAGIC = "TARNUNIT";

  private static final Codec<UnitHeader> CODEC =
      Codec.of(
          "unit",
          (out, header) ->
              out.message(1, ObjectCodecs.NAME, header.unit.object())
                  .text(2, header.unit.etag())
                  .text(3, header.unit.backendVersion(), "")
                  .number(4, header.unit.sizeBytes())
                  .number(5, header.unit.number(), 0)
                  .text(6, header.boot),
          in ->
              new UnitHeader(
                  new Unit(
                      in.message(1, ObjectCodecs.NAME),
                      in.text(2),
                      in.text(3, ""),
                      in.number(4),
                      in.integer(5, 0)),
                  in.text(6)));

  /** Whether the names are short enough. */
  boolean fits() {
    return CODEC.encode(this).length <= NAMES_MAX;
  }

  /**
   * The header's bytes, ready to be read.
   *
   * @throws IOException if the names are too long
   */
  ByteBuffer encode() throws IOException {
    byte[] names = CODEC.encode(this);
    if (names.length > NAMES_MAX) {
      throw new IOException(
          unit + " cannot be cached: its key, ETag and version take " + names.length + " bytes");
    }
    ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH);
    buffer.put(FormatHeader.of(MAGIC, names.length, crc(names)).encode()).put(names);
    return buffer.clear();
  }

  /**
   * Reads the header of a file.
   *
   * @throws UnreadableFormatException if the file does not begin with a whole header
   */
  static UnitHeader read(DiskFile file, String name) throws IOException {
    if (file.length() < LENGTH) {
      throw damaged(name, "is shorter than its header");
    }
    ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH);
    file.read(buffer, 0);
    FormatHeader format = FormatHeader.decode(buffer.clear(), MAGIC, name);
    if (format.first() < 0 || format.first() > NAMES_MAX) {
      throw damaged(name, "has a header of " + format.first() + " bytes");
    }
    byte[] names = new byte[(int) format.first()];
    buffer.get(FormatHeader.LENGTH, names);
    if (crc(names) != format.second()) {
      throw damaged(name, "has a header whose checksum does not hold");
    }
    try {
      return CODEC.decode(names);
    } catch (MalformedMessageException | IllegalArgumentException e) {
      throw damaged(name, "has a header that cannot be read: " + e.getMessage());
    }
  }

  private static long crc(byte[] names) {
    CRC32C crc = new CRC32C();
    crc.update(names);
    return crc.getValue();
  }

  private static UnreadableFormatException damaged(String name, String what) {
    return new UnreadableFormatException(
        UnreadableFormatException.Reason.DAMAGED, name + " " + what);
  }
}
