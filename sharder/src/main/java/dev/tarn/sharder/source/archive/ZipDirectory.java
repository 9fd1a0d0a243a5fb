package dev.tarn.sharder.source.archive;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.source.range.BytesChannel;
import dev.tarn.sharder.source.range.PositionedBytes;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import org.jspecify.annotations.Nullable;

/**
 * Reads the directory at the end of a zip archive (APPNOTE.TXT, "Central directory structure"),
 * member by member, so that one of millions of members needs no memory for them.
 *
 * <p>Names are the bytes that stand there, whatever encoding their author meant.
 */
final class ZipDirectory implements Closeable {
  private static final int MAGIC = 0x02014b50;
  private static final int LENGTH = 46;
  private static final int BUFFER_BYTES = 64 * 1024;

  private static final int MADE_BY_OFFSET = 4;
  private static final int FLAGS_OFFSET = 8;
  private static final int METHOD_OFFSET = 10;
  private static final int CRC_OFFSET = 16;
  private static final int STORED_OFFSET = 20;
  private static final int SIZE_OFFSET = 24;
  private static final int NAME_LENGTH_OFFSET = 28;
  private static final int EXTRA_LENGTH_OFFSET = 30;
  private static final int COMMENT_LENGTH_OFFSET = 32;
  private static final int ATTRIBUTES_OFFSET = 38;
  private static final int PLACE_OFFSET = 42;

  private static final int ZIP64_EXTRA = 1;
  private static final long IN_EXTRA = 0xffff_ffffL;
  private static final int MADE_BY_UNIX = 3;
  private static final int FILE_TYPE = 0170000;
  private static final int FILE_TYPE_LINK = 0120000;

  /** Deflated data has at least a byte for so many. */
  private static final long EXPANSION_MAX = 1032;

  private final String archive;
  private final ZipEnd end;
  private final DataInputStream entries;
  private final ByteBuffer header = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
  private long position;
  private long count;

  ZipDirectory(String archive, PositionedBytes bytes) throws IOException {
    this.archive = archive;
    this.end = ZipEnd.find(archive, bytes);
    this.position = end.directoryOffset();
    this.entries =
        new DataInputStream(
            new BufferedInputStream(
                Channels.newInputStream(new BytesChannel(bytes, position, end.directoryLength())),
                BUFFER_BYTES));
  }

  /** The next member; null after the last. */
  @Nullable ZipMember next() throws IOException {
    if (position == end.directoryOffset() + end.directoryLength()) {
      if (!end.fits(count)) {
        throw corrupt("it has " + count + " members, but the archive's end says " + end.members());
      }
      return null;
    }
    try {
      return member();
    } catch (EOFException e) {
      throw corrupt("it ends within member " + count);
    }
  }

  private ZipMember member() throws IOException {
    entries.readFully(header.array());
    if (header.getInt(0) != MAGIC) {
      throw corrupt("member " + count + " does not begin as one");
    }
    byte[] name = new byte[unsigned(NAME_LENGTH_OFFSET)];
    entries.readFully(name);
    byte[] extra = new byte[unsigned(EXTRA_LENGTH_OFFSET)];
    entries.readFully(extra);
    int comment = unsigned(COMMENT_LENGTH_OFFSET);
    entries.skipNBytes(comment);
    ByteBuffer large = zip64(extra);
    long size = large(SIZE_OFFSET, large);
    long stored = large(STORED_OFFSET, large);
    long offset = large(PLACE_OFFSET, large) + end.prefixLength();
    boolean isWithin = offset >= 0 && offset < end.directoryOffset() && stored >= 0;
    if (!isWithin || stored > end.directoryOffset() - offset) {
      throw corrupt("member " + MemberNames.printable(MemberNames.decode(name)) + " is not in it");
    }
    if (size < 0 || size > (stored + 1) * EXPANSION_MAX) {
      throw corrupt(
          "member %s of %d bytes cannot be stored in %d"
              .formatted(MemberNames.printable(MemberNames.decode(name)), size, stored));
    }
    boolean unix = header.get(MADE_BY_OFFSET + 1) == MADE_BY_UNIX;
    int mode = header.getInt(ATTRIBUTES_OFFSET) >>> 16;
    ZipPlace place =
        new ZipPlace(offset, stored, unsigned(METHOD_OFFSET), header.getInt(CRC_OFFSET));
    position += LENGTH + name.length + extra.length + comment;
    count++;
    return new ZipMember(
        MemberNames.decode(name),
        place,
        size,
        unsigned(FLAGS_OFFSET),
        unix && (mode & FILE_TYPE) == FILE_TYPE_LINK);
  }

  private int unsigned(int field) {
    return Short.toUnsignedInt(header.getShort(field));
  }

  /** The numbers that the header has no room for, in its order. */
  private static ByteBuffer zip64(byte[] extra) {
    ByteBuffer fields = ByteBuffer.wrap(extra).order(ByteOrder.LITTLE_ENDIAN);
    while (fields.remaining() >= 2 * Short.BYTES) {
      int number = Short.toUnsignedInt(fields.getShort());
      int length = Math.min(Short.toUnsignedInt(fields.getShort()), fields.remaining());
      if (number == ZIP64_EXTRA) {
        return fields.slice(fields.position(), length).order(ByteOrder.LITTLE_ENDIAN);
      }
      fields.position(fields.position() + length);
    }
    return fields.limit(fields.position());
  }

  private long large(int field, ByteBuffer zip64) {
    long value = Integer.toUnsignedLong(header.getInt(field));
    return value == IN_EXTRA && zip64.remaining() >= Long.BYTES ? zip64.getLong() : value;
  }

  private IOException corrupt(String what) {
    return new IOException(
        "%s at byte %d: the zip directory is corrupt: %s; zip -FF repairs what can be"
            .formatted(archive, position, what));
  }

  @Override
  public void close() throws IOException {
    entries.close();
  }
}
