package dev.tarn.sharder.source.archive;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.source.SourceFailures;
import dev.tarn.sharder.source.range.BlockBuffer;
import dev.tarn.sharder.source.range.BytesChannel;
import dev.tarn.sharder.source.range.PositionedBytes;
import java.io.IOException;
import java.io.InputStream;
import java.util.Iterator;
import org.apache.commons.compress.PasswordRequiredException;
import org.apache.commons.compress.archivers.sevenz.SevenZArchiveEntry;
import org.apache.commons.compress.archivers.sevenz.SevenZFile;
import org.jspecify.annotations.Nullable;

/**
 * A 7z archive. It compresses many members together, so reading a member requires reading those
 * before it. The concatenated data of all members is therefore treated as the uncompressed archive.
 */
final class SevenZipArchive {
  /**
   * Memory limit in KiB of the list of members, and of a decoder; the largest common preset takes
   * 64 MiB.
   */
  private static final int MEMORY_KIB_MAX = 512 * 1024;

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
          .setSeekableByteChannel(
              new BytesChannel(new BlockBuffer(archive, bytes, Long.MAX_VALUE), 0, bytes.size()))
          .setDefaultName(archive)
          .setMaxMemoryLimitKiB(MEMORY_KIB_MAX)
          .setUseDefaultNameForUnnamedEntries(true)
          .get();
    } catch (IOException | RuntimeException e) {
      throw failure(e);
    }
  }

  /** Lists the members; the data of each begins where the data of the previous one ends. */
  MemberWalk members() throws IOException {
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
            new ArchiveMember(
                name(entry), type(entry), dataOffset, dataOffset, Math.max(0, entry.getSize()));
        dataOffset += member.size();
        return member;
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
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
        ? ArchiveMember.Type.OTHER
        : ArchiveMember.Type.FILE;
  }

  /** Opens the concatenated data of all members; each member is verified against its CRC32. */
  InputStream data() throws IOException {
    SevenZFile file = open();
    return new InputStream() {
      private boolean inMember;

      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        try {
          while (true) {
            int read = inMember ? file.read(target, offset, length) : -1;
            if (read >= 0) {
              return read;
            }
            inMember = file.getNextEntry() != null;
            if (!inMember) {
              return -1;
            }
          }
        } catch (IOException | RuntimeException e) {
          throw failure(e);
        }
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }

  private IOException failure(Exception failure) {
    if (failure instanceof PasswordRequiredException) {
      return new IOException(archive + ": is encrypted: extract it first, as 7z x does", failure);
    }
    return failure instanceof IOException e && String.valueOf(e.getMessage()).startsWith(archive)
        ? e
        : SourceFailures.corrupt(archive, 0, failure);
  }
}
