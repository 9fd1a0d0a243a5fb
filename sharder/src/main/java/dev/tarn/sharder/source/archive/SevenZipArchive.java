package dev.tarn.sharder.source.archive;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.BulkInputStream;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.source.SourceFailures;
import dev.tarn.sharder.source.range.BlockBuffer;
import dev.tarn.sharder.source.range.BytesChannel;
import dev.tarn.sharder.source.range.PositionedBytes;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Iterator;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.compress.MemoryLimitException;
import org.apache.commons.compress.PasswordRequiredException;
import org.apache.commons.compress.archivers.sevenz.SevenZArchiveEntry;
import org.apache.commons.compress.archivers.sevenz.SevenZFile;
import org.jspecify.annotations.Nullable;

/**
 * A 7z archive. It compresses many members together, so reading a member requires reading those
 * before it. The concatenated data of all members is therefore treated as the uncompressed archive.
 */
final class SevenZipArchive {
  /** The memory limit in KiB in a heap of any size. */
  private static final int LARGEST_MEMORY_KIB = 512 * 1024;

  /**
   * Memory limit in KiB of the list of members, and of a decoder; the largest common preset takes
   * 64 MiB.
   */
  private static final int MEMORY_KIB_MAX =
      (int) Math.min(LARGEST_MEMORY_KIB, Runtime.getRuntime().maxMemory() / 4 / 1024);

  private static final Pattern UNSUPPORTED =
      Pattern.compile("Unsupported compression method \\[([-0-9, ]*)].*", Pattern.DOTALL);
  private static final String SEVERAL_STREAMS = "Multi input/output stream coders";

  /** Methods that other tools write and commons-compress does not read, by their identifiers. */
  private static final Map<String, String> UNSUPPORTED_METHODS =
      Map.of(
          "3, 4, 1", "PPMd",
          "4, -9, 17, 1", "zstd",
          "4, -9, 17, 2", "Brotli",
          "4, -9, 17, 4", "LZ4",
          "4, -9, 17, 5", "LZ5",
          "4, -9, 17, 6", "Lizard",
          "10", "ARM64",
          "11", "RISC-V");

  private static final int UNIX_ATTRIBUTES = 0x8000;
  private static final int FILE_TYPE = 0170000;
  private static final int FILE_TYPE_LINK = 0120000;

  private final String archive;
  private final PositionedBytes bytes;

  /**
   * @param archive its name in messages
   * @param bytes as stored; not closed
   */
  SevenZipArchive(String archive, PositionedBytes bytes) {
    this.archive = archive;
    this.bytes = bytes;
  }

  private SevenZFile open() throws IOException {
    try {
      return SevenZFile.builder()
          .setSeekableByteChannel(new BytesChannel(new BlockBuffer(bytes), 0, bytes.size()))
          .setDefaultName(archive)
          .setMaxMemoryLimitKiB(MEMORY_KIB_MAX)
          .setUseDefaultNameForUnnamedEntries(true)
          .get();
    } catch (IOException | RuntimeException e) {
      throw failure(e, "byte 0", "");
    }
  }

  /** Lists the members; the data of each begins where the data of the previous one ends. */
  MemberWalk members() throws IOException {
    requireReadable();
    SevenZFile file = open();
    Iterator<SevenZArchiveEntry> entries = file.getEntries().iterator();
    return new MemberWalk() {
      private long dataOffset;

      @Override
      public @Nullable ArchiveMember next() throws IOException {
        if (!entries.hasNext()) {
          return null;
        }
        SevenZArchiveEntry entry = entries.next();
        ArchiveMember member =
            new ArchiveMember(name(entry), type(entry), dataOffset, dataOffset, size(entry));
        dataOffset += member.size();
        return member;
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }

  /**
   * Reads one byte. An archive that is encrypted, or was made by an unsupported method, is thus
   * refused before anything is packed. Only the first member is checked: one of another method is
   * refused when it is read.
   */
  private void requireReadable() throws IOException {
    try (InputStream data = data()) {
      data.read();
    }
  }

  private static long size(SevenZArchiveEntry entry) {
    return Math.max(0, entry.getSize());
  }

  private String name(SevenZArchiveEntry entry) throws IOException {
    try {
      MemberNames.encode(entry.getName());
      return entry.getName();
    } catch (IllegalArgumentException e) {
      throw new IOException("%s: corrupt: %s".formatted(archive, e.getMessage()), e);
    }
  }

  private static ArchiveMember.Type type(SevenZArchiveEntry entry) {
    int attributes = entry.getHasWindowsAttributes() ? entry.getWindowsAttributes() : 0;
    boolean hasMode = (attributes & UNIX_ATTRIBUTES) != 0;
    if (hasMode && ((attributes >>> 16) & FILE_TYPE) == FILE_TYPE_LINK) {
      return ArchiveMember.Type.LINK;
    }
    return entry.isDirectory() || entry.isAntiItem()
        ? ArchiveMember.Type.NONE
        : ArchiveMember.Type.FILE;
  }

  /** Opens the concatenated data of all members. */
  InputStream data() throws IOException {
    return new MemberData(open());
  }

  /**
   * The concatenated data of all members. Verifies the length and the CRC32 of each, before it
   * returns the last bytes of the member. Behind the last member it closes the decoder, which may
   * hold much memory.
   */
  private final class MemberData extends BulkInputStream {
    private final SevenZFile file;
    private @Nullable SevenZArchiveEntry member;

    /** The number of bytes of the member that are not read yet. */
    private long left;

    /** The number of bytes of all members that are not read yet. */
    private long allLeft;

    private long position;

    MemberData(SevenZFile file) {
      this.file = file;
      file.getEntries().forEach(entry -> allLeft += size(entry));
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (allLeft == 0) {
        close();
        return -1;
      }
      SevenZArchiveEntry entry = member;
      try {
        while (entry == null || left == 0) {
          entry = requireNonNull(file.getNextEntry(), "there are fewer members than listed");
          left = size(entry);
        }
        member = entry;
        return readMember(entry, target, offset, (int) Math.min(length, left));
      } catch (IOException | RuntimeException e) {
        String where = entry == null ? "" : "member " + MemberNames.printable(name(entry)) + ": ";
        throw failure(e, "byte " + position + " of its uncompressed data", where);
      }
    }

    private int readMember(SevenZArchiveEntry entry, byte[] target, int offset, int length)
        throws IOException {
      int read = file.read(target, offset, length);
      if (read < 0) {
        throw new EOFException(
            "ends after %d of %d bytes".formatted(size(entry) - left, size(entry)));
      }
      left -= read;
      // commons-compress compares the CRC32 when it returns the end.
      if (left == 0 && file.read() >= 0) {
        throw new IOException("has more bytes than its size");
      }
      allLeft -= read;
      position += read;
      if (allLeft == 0) {
        close();
      }
      return read;
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  private IOException failure(Exception failure, String place, String where) {
    String message = String.valueOf(failure.getMessage());
    if (failure instanceof PasswordRequiredException) {
      return new IOException(
          archive + ": the archive is encrypted; extract it first (7z x)", failure);
    }
    if (failure instanceof MemoryLimitException limit) {
      String otherRemedy =
          limit.getMemoryNeededInKb() <= LARGEST_MEMORY_KIB
              ? ", or set TARN_JAVA_OPTS=-Xmx to a larger heap"
              : "";
      return new IOException(
          "%s: reading it takes %d MiB of memory and the limit is %d MiB, a quarter of the heap or 512 MiB; extract it first (7z x)%s"
              .formatted(
                  archive, limit.getMemoryNeededInKb() >> 10, MEMORY_KIB_MAX >> 10, otherRemedy),
          failure);
    }
    Matcher unsupported = UNSUPPORTED.matcher(message);
    if (unsupported.matches()) {
      return unsupported(
          UNSUPPORTED_METHODS.getOrDefault(
              unsupported.group(1), "[%s]".formatted(unsupported.group(1))),
          failure);
    }
    if (message.startsWith(SEVERAL_STREAMS)) {
      return unsupported("BCJ2", failure);
    }
    return failure instanceof IOException e && message.startsWith(archive)
        ? e
        : SourceFailures.corrupt(archive, place, new IOException(where + message, failure));
  }

  private IOException unsupported(String method, Exception failure) {
    return new IOException(
        "%s: compression method %s is not supported; extract the archive (7z x), or make it again with -m0=lzma2"
            .formatted(archive, method),
        failure);
  }
}
