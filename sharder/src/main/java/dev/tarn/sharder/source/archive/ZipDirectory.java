package dev.tarn.sharder.source.archive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.tarn.sharder.source.SourceFailures;
import dev.tarn.sharder.source.range.BlockBuffer;
import dev.tarn.sharder.source.range.BytesChannel;
import dev.tarn.sharder.source.range.PositionedBytes;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipException;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;

/**
 * The directory at the end of a zip archive, in memory while it is open.
 *
 * <p>commons-compress accepts a directory that ends too early, and one that data follows: a cut
 * archive then passes for the last archive stored in it. This class therefore verifies the number
 * of members and the place of the end record.
 */
final class ZipDirectory implements Closeable {
  /** Heap bytes per byte of directory, which limits the directory; a member takes about 500. */
  private static final int HEAP_PER_BYTE = 16;

  private static final int SIGNATURE_LENGTH = 4;
  private static final int MEMBERS_MODULUS = 1 << 16;

  private static final int END_MAGIC = 0x06054b50;
  private static final int END_DISK_OFFSET = 4;
  private static final int END_MEMBERS_OFFSET = 10;
  private static final int END_COMMENT_LENGTH_OFFSET = 20;
  private static final int END_LENGTH = 22;

  private static final int ZIP64_END_MAGIC = 0x06064b50;
  private static final int ZIP64_END_SIZE_OFFSET = 4;
  private static final int ZIP64_END_DISK_OFFSET = 16;
  private static final int ZIP64_END_MEMBERS_OFFSET = 32;
  private static final int ZIP64_END_LENGTH = 56;
  private static final int ZIP64_LOCATOR_LENGTH = 20;

  private final String archive;
  private final ZipFile zip;
  private final BytesChannel channel;
  private final List<ZipArchiveEntry> members;

  private ZipDirectory(String archive, ZipFile zip, BytesChannel channel) {
    this.archive = archive;
    this.zip = zip;
    this.channel = channel;
    this.members = Collections.list(zip.getEntries());
  }

  /**
   * Reads the directory.
   *
   * @param archive its name in messages
   * @param bytes not closed
   */
  static ZipDirectory open(String archive, PositionedBytes bytes) throws IOException {
    long directoryBytesMax = Runtime.getRuntime().maxMemory() / HEAP_PER_BYTE;
    BytesChannel channel =
        new BytesChannel(new BlockBuffer(archive, bytes, directoryBytesMax), 0, bytes.size());
    try {
      ZipDirectory directory = new ZipDirectory(archive, read(channel), channel);
      try {
        directory.requireWhole(bytes);
      } catch (IOException e) {
        directory.close();
        throw e;
      }
      return directory;
    } catch (ZipException e) {
      throw new IOException(
          "%s at byte %d: the zip archive is cut short or corrupt: its directory is not at its end: %s; fetch it again"
              .formatted(archive, bytes.size(), e.getMessage()),
          e);
    } catch (IOException | RuntimeException e) {
      if (e instanceof IOException && String.valueOf(e.getMessage()).startsWith(archive)) {
        throw e;
      }
      throw SourceFailures.corrupt(archive, channel.position(), e);
    }
  }

  /** Returns whether the bytes end like a zip archive. */
  static boolean isAt(String archive, PositionedBytes bytes) throws IOException {
    try {
      open(archive, bytes).close();
      return true;
    } catch (IOException e) {
      if (e.getCause() instanceof ZipException) {
        return false;
      }
      throw e;
    }
  }

  /** Opens the archive; names are read as bytes, whatever encoding its author used. */
  private static ZipFile read(BytesChannel channel) throws IOException {
    try {
      return ZipFile.builder()
          .setSeekableByteChannel(channel)
          .setCharset(ISO_8859_1)
          .setUseUnicodeExtraFields(false)
          .setIgnoreLocalFileHeader(true)
          .get();
    } catch (IOException e) {
      throw e.getCause() instanceof IOException cause ? cause : e;
    }
  }

  /**
   * Verifies the end record. commons-compress stops four bytes after the last member's entry; the
   * end record must begin there, and only its comment may follow.
   */
  private void requireWhole(PositionedBytes bytes) throws IOException {
    long count = members.size();
    long end = channel.position() - SIGNATURE_LENGTH;
    ByteBuffer record = ByteBuffer.allocate(ZIP64_END_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    bytes.read(end, record);
    boolean isZip64 = record.getInt(0) == ZIP64_END_MAGIC;
    if (!isZip64 && record.getInt(0) != END_MAGIC) {
      throw corrupt("member " + count + " does not begin as one");
    }
    int disk = isZip64 ? record.getInt(ZIP64_END_DISK_OFFSET) : record.getShort(END_DISK_OFFSET);
    if (disk != 0 && disk != -1) {
      throw new IOException(
          archive + ": one of several parts of a zip archive: join them first, zip -s 0 does");
    }
    long stated =
        isZip64
            ? record.getLong(ZIP64_END_MEMBERS_OFFSET)
            : Short.toUnsignedLong(record.getShort(END_MEMBERS_OFFSET));
    requireAtEnd(bytes, isZip64 ? endBehind(end, record) : end);
    if ((isZip64 ? count : count % MEMBERS_MODULUS) != stated) {
      throw corrupt("it has " + count + " members, but the archive's end says " + stated);
    }
  }

  /** Returns the place of the end record behind a zip64 end record and its locator. */
  private static long endBehind(long zip64End, ByteBuffer record) {
    return zip64End
        + ZIP64_END_SIZE_OFFSET
        + Long.BYTES
        + record.getLong(ZIP64_END_SIZE_OFFSET)
        + ZIP64_LOCATOR_LENGTH;
  }

  /** Requires that the end record, with its comment, is the last of the bytes. */
  private static void requireAtEnd(PositionedBytes bytes, long end) throws IOException {
    ByteBuffer record = ByteBuffer.allocate(END_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    if (end < 0 || end > bytes.size() - END_LENGTH) {
      throw new ZipException("its end record is missing");
    }
    bytes.read(end, record);
    long comment = Short.toUnsignedLong(record.getShort(END_COMMENT_LENGTH_OFFSET));
    if (record.getInt(0) != END_MAGIC || end + END_LENGTH + comment != bytes.size()) {
      throw new ZipException("the end record does not end the archive");
    }
  }

  /** Returns its members in order. */
  List<ZipArchiveEntry> members() {
    return members;
  }

  /** Returns the error for a directory that contradicts itself or the archive. */
  IOException corrupt(String what) {
    return new IOException(
        "%s at byte %d: the zip directory is corrupt: %s; zip -FF repairs what can be"
            .formatted(archive, channel.position() - SIGNATURE_LENGTH, what));
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}
