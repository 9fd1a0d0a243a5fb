package dev.tarn.sharder.source.archive;

import dev.tarn.sharder.source.range.BytesChannel;
import dev.tarn.sharder.source.range.PositionedBytes;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** The data of one member of a zip archive; verifies its length and CRC32 at its end. */
final class ZipChannel implements ReadableByteChannel {
  private static final int LOCAL_MAGIC = 0x04034b50;
  private static final int LOCAL_LENGTH = 30;
  private static final int LOCAL_NAME_LENGTH_OFFSET = 26;
  private static final int LOCAL_EXTRA_LENGTH_OFFSET = 28;
  private static final int BUFFER_BYTES_MAX = 64 * 1024;
  private static final int PIECE_BYTES_MAX = 64 * 1024;

  private final String name;
  private final ZipPlace place;
  private final @Nullable Inflater inflater;
  private final InputStream data;
  private final CRC32 crc = new CRC32();
  private final byte[] piece;
  private long left;
  private boolean finished;
  private boolean open = true;

  /**
   * @param name of archive and member, in messages
   * @param size of the uncompressed data, in bytes
   */
  ZipChannel(String name, PositionedBytes bytes, ZipPlace place, long size) throws IOException {
    this.name = name;
    this.place = place;
    this.left = size;
    long start = dataStart(bytes);
    InputStream stored = Channels.newInputStream(new BytesChannel(bytes, start, place.stored()));
    this.piece = new byte[Math.clamp(size, 1, PIECE_BYTES_MAX)];
    if (place.method() == ZipEntry.STORED) {
      this.inflater = null;
      this.data = stored;
    } else {
      int buffer = Math.clamp(place.stored(), 512, BUFFER_BYTES_MAX);
      this.inflater = new Inflater(true);
      this.data = new InflaterInputStream(stored, inflater, buffer);
    }
  }

  private long dataStart(PositionedBytes bytes) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(LOCAL_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    int read = bytes.read(place.offset(), header);
    if (read < LOCAL_LENGTH || header.getInt(0) != LOCAL_MAGIC) {
      throw corrupt("its header is not where the archive's directory says");
    }
    long start =
        place.offset()
            + LOCAL_LENGTH
            + Short.toUnsignedInt(header.getShort(LOCAL_NAME_LENGTH_OFFSET))
            + Short.toUnsignedInt(header.getShort(LOCAL_EXTRA_LENGTH_OFFSET));
    if (start + place.stored() > bytes.size()) {
      throw corrupt("its data goes beyond the archive's end");
    }
    return start;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (left == 0) {
      finish();
      return -1;
    }
    int wanted = (int) Math.min(Math.min(target.remaining(), piece.length), left);
    int read;
    try {
      read = data.read(piece, 0, wanted);
    } catch (ZipException | EOFException e) {
      throw corrupt(String.valueOf(e.getMessage()));
    }
    if (read < 0) {
      throw corrupt("its data ends " + left + " bytes before what the archive's directory says");
    }
    crc.update(piece, 0, read);
    target.put(piece, 0, read);
    left -= read;
    if (left == 0) {
      finish();
    }
    return read;
  }

  private void finish() throws IOException {
    if (finished) {
      return;
    }
    finished = true;
    if ((int) crc.getValue() != place.crc32()) {
      throw corrupt("its CRC32 is not the one that the archive's directory says");
    }
    if (place.method() == ZipEntry.DEFLATED && hasMore()) {
      throw corrupt("it has more bytes than the archive's directory says");
    }
  }

  private boolean hasMore() throws IOException {
    try {
      return data.read() >= 0;
    } catch (ZipException | EOFException e) {
      throw corrupt(String.valueOf(e.getMessage()));
    }
  }

  private IOException corrupt(String what) {
    return new IOException(
        "%s at byte %d: corrupt: %s; unzip -t shows other damage"
            .formatted(name, place.offset(), what));
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() throws IOException {
    open = false;
    if (inflater != null) {
      inflater.end();
    }
    data.close();
  }
}
