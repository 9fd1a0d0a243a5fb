package dev.tarn.sharder.source.archive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.tar.TarReader;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFailures;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.range.BytesChannel;
import dev.tarn.sharder.source.range.PositionedBytes;
import dev.tarn.sharder.source.range.SharedReads;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.ar.ArArchiveInputStream;
import org.apache.commons.compress.archivers.cpio.CpioArchiveInputStream;
import org.apache.commons.compress.archivers.sevenz.SevenZFile;
import org.apache.commons.compress.archivers.zip.ZipArchiveInputStream;

/** Opens archives; their first bytes determine their format. */
public final class Archives {
  private static final int START_LENGTH = 512;
  private static final int BUFFER_BYTES = 256 * 1024;

  private static final String TAR_MAGIC = "ustar";
  private static final int TAR_MAGIC_OFFSET = 257;

  private static final Pattern NAME =
      Pattern.compile(
          "(?i)(.*)\\.(?:" + ShardPlace.ENDINGS + "|cpio(?:\\.(?:gz|zst|xz|bz2))?|ar|zip|7z)",
          Pattern.DOTALL);

  private static final Pattern OTHER_NAME =
      Pattern.compile("(?i).*\\.(?:zip|7z|cpio|ar)", Pattern.DOTALL);

  private final Storage storage;
  private final SourceOptions options;
  private final SharedReads reads;
  private final PassingWindows windows = new PassingWindows();

  /**
   * @param reads shared by the archives, which do not close it
   */
  public Archives(Storage storage, SourceOptions options, SharedReads reads) {
    this.storage = requireNonNull(storage, "storage is null");
    this.options = requireNonNull(options, "options is null");
    this.reads = requireNonNull(reads, "reads is null");
  }

  /** Returns whether a source is an archive, by its name. */
  public static boolean isArchive(StorageUrl url) {
    return NAME.matcher(url.name()).matches();
  }

  /** Returns an archive's name without its extension. */
  static String stem(StorageUrl url) {
    Matcher name = NAME.matcher(url.name());
    return name.matches() ? name.group(1) : url.name();
  }

  /**
   * Opens an archive: tar, cpio or ar (uncompressed, or compressed as a whole), zip or 7z.
   *
   * @param url a local file or an object
   */
  public Source open(StorageUrl url) throws IOException {
    ArchiveFile file = ArchiveFile.open(storage, url);
    byte[] start;
    try (InputStream stream = file.stream(START_LENGTH)) {
      start = stream.readNBytes(START_LENGTH);
    } catch (IOException e) {
      throw SourceFailures.naming(file.name(), e);
    }
    if (start.length == 0) {
      throw new IOException(
          file.name() + ": is empty, so it is no archive; fetch or make it again");
    }
    if (Compression.of(start) != null) {
      CompressedBytes bytes =
          new CompressedBytes(file, CompressedBytes.decompressing(file), options, windows);
      return new SequentialSource(file, bytes, () -> walk(file.name(), bytes.stream()), options);
    }
    Path path = file.path();
    PositionedBytes bytes =
        path == null
            ? new RemoteBytes(file, reads.ahead())
            : new LocalBytes(file, path, reads.files());
    if (SevenZFile.matches(start, start.length)) {
      SevenZipArchive archive = new SevenZipArchive(file.name(), bytes);
      return new SequentialSource(
          file,
          new CompressedBytes(file, archive::data, options, windows),
          archive::members,
          options);
    }
    if (isZip(file, start, bytes)) {
      return new ZipSource(file, bytes, options);
    }
    requireTar(file, start);
    return new SequentialSource(file, bytes, () -> walk(file.name(), start, bytes), options);
  }

  /** Lists an archive that is read as a stream. */
  private MemberWalk walk(String archive, InputStream stream) throws IOException {
    PushbackInputStream peekable = new PushbackInputStream(stream, START_LENGTH);
    try {
      byte[] start = peekable.readNBytes(START_LENGTH);
      peekable.unread(start);
      StreamWalk walk = isTar(start) ? null : StreamWalk.open(archive, start, peekable);
      return walk == null ? walk(TarReader.of(archive, peekable)) : walk;
    } catch (IOException e) {
      peekable.close();
      throw e;
    }
  }

  /** Lists an archive with random access, so that only tar's headers are read. */
  private MemberWalk walk(String archive, byte[] start, PositionedBytes bytes) throws IOException {
    BytesChannel channel = new BytesChannel(bytes, 0, bytes.size());
    StreamWalk walk =
        isTar(start)
            ? null
            : StreamWalk.open(
                archive,
                start,
                new BufferedInputStream(Channels.newInputStream(channel), BUFFER_BYTES));
    return walk == null ? walk(TarReader.of(archive, channel)) : walk;
  }

  /**
   * Verifies that an archive that must be tar, because it is nothing else, does not say otherwise.
   */
  private static void requireTar(ArchiveFile file, byte[] start) throws IOException {
    boolean saysOther = OTHER_NAME.matcher(file.name()).matches();
    if (saysOther && !isTar(start) && !isStreamed(start)) {
      throw new IOException(
          file.name()
              + " at byte 0: is no archive of the kind that its name says; fetch or make it again");
    }
  }

  private static boolean isStreamed(byte[] start) {
    return CpioArchiveInputStream.matches(start, start.length)
        || ArArchiveInputStream.matches(start, start.length);
  }

  private MemberWalk walk(TarReader reader) {
    return new TarMemberWalk(options.ignoresZeros() ? reader.ignoringZeros() : reader);
  }

  /**
   * Returns whether a file is a zip archive. A self-extracting one begins with a program; only its
   * end shows that it is a zip archive.
   */
  private static boolean isZip(ArchiveFile file, byte[] start, PositionedBytes bytes)
      throws IOException {
    if (ZipArchiveInputStream.matches(start, start.length)) {
      return true;
    }
    return !isStreamed(start) && !isTar(start) && ZipEnd.find(file.name(), bytes) != null;
  }

  /** Returns whether these are the first bytes of a tar archive, whatever its first name is. */
  private static boolean isTar(byte[] start) {
    return new String(start, ISO_8859_1).startsWith(TAR_MAGIC, TAR_MAGIC_OFFSET);
  }
}
