package dev.tarn.sharder.source.archive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.tarn.sharder.source.SourceFailures;
import dev.tarn.sharder.source.range.BlockBuffer;
import dev.tarn.sharder.source.range.BytesChannel;
import dev.tarn.sharder.source.range.PositionedBytes;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;

/**
 * The directory of a zip archive, in memory while it is open. commons-compress reads it; this class
 * verifies that it has the length and the number of members that the end record says.
 */
final class ZipDirectory implements Closeable {
  /**
   * Heap bytes per byte of directory, which limits the directory. Measured with commons-compress
   * 1.28 and 300,000 members: 420 to 720 bytes of heap a member, 5 to 9 a byte of directory.
   */
  private static final int HEAP_PER_BYTE = 12;

  private static final int SIGNATURE_LENGTH = 4;

  private final String archive;
  private final ZipEnd end;
  private final ZipFile zip;
  private final List<ZipArchiveEntry> members;

  private ZipDirectory(String archive, ZipEnd end, ZipFile zip) {
    this.archive = archive;
    this.end = end;
    this.zip = zip;
    this.members = Collections.list(zip.getEntries());
  }

  /**
   * Reads the directory.
   *
   * @param archive its name in messages
   * @param bytes not closed
   */
  static ZipDirectory open(String archive, PositionedBytes bytes) throws IOException {
    ZipEnd end = ZipEnd.find(archive, bytes);
    if (end == null) {
      long trailing = ZipEnd.trailing(bytes);
      if (trailing > 0) {
        throw new IOException(
            "%s at byte %d: %d bytes follow the end of the zip archive; remove them (head -c %d) or fetch it again"
                .formatted(archive, bytes.size() - trailing, trailing, bytes.size() - trailing));
      }
      throw new IOException(
          "%s at byte %d: the zip archive is cut short: the directory at its end is missing; fetch it again"
              .formatted(archive, bytes.size()));
    }
    requireMemory(archive, end);
    // commons-compress finds no zip64 record behind a prefix.
    long prefix = end.prefixLength();
    BytesChannel channel = new BytesChannel(new BlockBuffer(bytes), prefix, bytes.size() - prefix);
    ZipDirectory directory = new ZipDirectory(archive, end, read(archive, channel, prefix));
    try {
      directory.requireWhole(prefix + channel.position() - SIGNATURE_LENGTH);
    } catch (IOException e) {
      directory.close();
      throw e;
    }
    return directory;
  }

  private static void requireMemory(String archive, ZipEnd end) throws IOException {
    long bytesMax = Runtime.getRuntime().maxMemory() / HEAP_PER_BYTE;
    if (end.directoryLength() > bytesMax) {
      throw new IOException(
          "%s: the zip directory has %d MiB and the limit is %d MiB for this heap; set TARN_JAVA_OPTS=-Xmx%dm or make a tar archive of the files"
              .formatted(
                  archive,
                  end.directoryLength() >> 20,
                  bytesMax >> 20,
                  heapMiB(end.directoryLength())));
    }
  }

  /**
   * Returns the -Xmx in MiB for a directory. The JVM leaves a survivor space out of {@link
   * Runtime#maxMemory}, so the advice has a margin of 5 % and 4 MiB.
   */
  static long heapMiB(long directoryLength) {
    long neededMiB = (directoryLength >> 20) * HEAP_PER_BYTE + HEAP_PER_BYTE;
    return neededMiB + neededMiB / 20 + 4;
  }

  /** Opens the archive; names are read as bytes, whatever encoding its author used. */
  private static ZipFile read(String archive, BytesChannel channel, long prefix)
      throws IOException {
    try {
      return ZipFile.builder()
          .setSeekableByteChannel(channel)
          .setCharset(ISO_8859_1)
          .setUseUnicodeExtraFields(false)
          .setIgnoreLocalFileHeader(true)
          .get();
    } catch (IOException | RuntimeException e) {
      IOException cause = e instanceof IOException io ? io : new IOException(e);
      cause = cause.getCause() instanceof IOException inner ? inner : cause;
      throw String.valueOf(cause.getMessage()).startsWith(archive)
          ? cause
          : SourceFailures.corrupt(archive, prefix + channel.position(), cause);
    }
  }

  /**
   * @param read the offset of the first bytes that commons-compress did not take for a member
   */
  private void requireWhole(long read) throws IOException {
    if (read != end.directoryEnd()) {
      throw corrupt(read, "member " + members.size() + " does not begin as one");
    }
    if (!end.fits(members.size())) {
      throw corrupt(
          read,
          "it has %d members, but the archive's end says %d"
              .formatted(members.size(), end.members()));
    }
  }

  /** Returns its members in order. */
  List<ZipArchiveEntry> members() {
    return members;
  }

  /** Returns the offset in the file of a member's header. */
  long offset(ZipArchiveEntry member) {
    return end.prefixLength() + member.getLocalHeaderOffset();
  }

  /** Returns the offset in the file of the directory; all members are before it. */
  long start() {
    return end.directoryEnd() - end.directoryLength();
  }

  /** Returns the error for a directory that contradicts itself or the archive. */
  IOException corrupt(long offset, String what) {
    return new IOException(
        "%s at byte %d: the zip directory is corrupt: %s; repair it (zip -FF) or fetch it again"
            .formatted(archive, offset, what));
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}
