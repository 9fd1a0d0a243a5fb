package dev.tarn.sharder.source.archive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.source.SourceFailures;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.compress.archivers.ArchiveEntry;
import org.apache.commons.compress.archivers.ArchiveInputStream;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveInputStream;
import org.apache.commons.compress.archivers.cpio.CpioArchiveEntry;
import org.apache.commons.compress.archivers.cpio.CpioArchiveInputStream;
import org.jspecify.annotations.Nullable;

/** Lists the members of a cpio or ar archive, which is read once from beginning to end. */
final class StreamWalk implements MemberWalk {
  /** Maximum length of one header in bytes, including its name and ar's table of long names. */
  private static final int HEADER_BYTES_MAX = 64 * 1024 * 1024;

  private static final String AR_SYMBOLS_64 = "/SYM64";
  private static final String AR_SYMBOLS_BSD = "__.SYMDEF";
  private static final char NOT_ASCII = '\ufffd';

  private final String archive;
  private final CountedInput input;
  private final ArchiveInputStream<? extends ArchiveEntry> members;

  /** The end offset of the last member's data. */
  private long dataEnd;

  private StreamWalk(
      String archive, CountedInput input, ArchiveInputStream<? extends ArchiveEntry> members) {
    this.archive = archive;
    this.input = input;
    this.members = members;
  }

  /**
   * Opens an archive; returns null if its first bytes are neither cpio nor ar.
   *
   * @param archive its name in messages
   * @param bytes uncompressed; closed with the walk
   */
  static @Nullable StreamWalk open(String archive, byte[] start, InputStream bytes) {
    CountedInput input = new CountedInput(archive, bytes);
    if (CpioArchiveInputStream.matches(start, start.length)) {
      return new StreamWalk(archive, input, new CpioArchiveInputStream(input, ISO_8859_1.name()));
    }
    if (ArArchiveInputStream.matches(start, start.length)) {
      return new StreamWalk(archive, input, new ArArchiveInputStream(input));
    }
    return null;
  }

  @Override
  public @Nullable ArchiveMember next() throws IOException {
    long headerOffset = dataEnd;
    input.limitTo(dataEnd - input.position + HEADER_BYTES_MAX);
    ArchiveEntry entry = nextEntry();
    if (entry == null) {
      if (input.position < dataEnd) {
        throw cutShort();
      }
      return null;
    }
    long dataOffset = input.position;
    dataEnd = dataOffset + entry.getSize();
    return entry instanceof CpioArchiveEntry cpio
        ? member(cpio, headerOffset, dataOffset)
        : member((ArArchiveEntry) entry, headerOffset, dataOffset);
  }

  private @Nullable ArchiveEntry nextEntry() throws IOException {
    try {
      return members.getNextEntry();
    } catch (EOFException e) {
      throw cutShort();
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).startsWith(archive)) {
        throw e;
      }
      throw SourceFailures.corrupt(archive, input.position, e);
    } catch (RuntimeException e) {
      throw SourceFailures.corrupt(archive, input.position, e);
    }
  }

  /**
   * Converts a member. Of hard links, cpio stores the data only with the last; the others have
   * none.
   */
  private static ArchiveMember member(CpioArchiveEntry entry, long headerOffset, long dataOffset) {
    boolean hasNoData = entry.getSize() == 0 && entry.getNumberOfLinks() > 1;
    ArchiveMember.Type type =
        entry.isDirectory() ? ArchiveMember.Type.NONE : ArchiveMember.Type.SPECIAL;
    if (entry.isSymbolicLink() || (entry.isRegularFile() && hasNoData)) {
      type = ArchiveMember.Type.LINK;
    } else if (entry.isRegularFile()) {
      type = ArchiveMember.Type.FILE;
    }
    String name = MemberNames.decode(entry.getName().getBytes(ISO_8859_1));
    return new ArchiveMember(name, type, headerOffset, dataOffset, entry.getSize());
  }

  private ArchiveMember member(ArArchiveEntry entry, long headerOffset, long dataOffset)
      throws IOException {
    String name = entry.getName();
    int end = name.indexOf('\0');
    name = end < 0 ? name : name.substring(0, end);
    if (name.indexOf(NOT_ASCII) >= 0) {
      throw new IOException(
          "%s at byte %d: the name of member %s is not ASCII; make a tar or zip archive of the files"
              .formatted(archive, headerOffset, MemberNames.printable(name)));
    }
    boolean isSymbols =
        name.isEmpty() || name.equals(AR_SYMBOLS_64) || name.startsWith(AR_SYMBOLS_BSD);
    ArchiveMember.Type type = isSymbols ? ArchiveMember.Type.NONE : ArchiveMember.Type.FILE;
    return new ArchiveMember(name, type, headerOffset, dataOffset, entry.getSize());
  }

  private IOException cutShort() {
    return new IOException(
        "%s at byte %d: the archive is cut short; fetch it again"
            .formatted(archive, input.position));
  }

  @Override
  public void close() throws IOException {
    members.close();
  }

  /** Counts bytes, and limits the memory that a crafted header makes its reader use. */
  private static final class CountedInput extends FilterInputStream {
    private final String archive;
    private long position;
    private long left;

    CountedInput(String archive, InputStream in) {
      super(in);
      this.archive = archive;
    }

    void limitTo(long bytes) {
      left = bytes;
    }

    @Override
    public int read() throws IOException {
      requireLeft();
      int read = super.read();
      count(read < 0 ? 0 : 1);
      return read;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      requireLeft();
      int read = super.read(target, offset, (int) Math.min(length, left));
      count(Math.max(0, read));
      return read;
    }

    private void count(int read) {
      position += read;
      left -= read;
    }

    private void requireLeft() throws IOException {
      if (left <= 0) {
        throw new IOException(
            "%s: a header has more than %d bytes; the archive is corrupt"
                .formatted(archive, HEADER_BYTES_MAX));
      }
    }
  }
}
