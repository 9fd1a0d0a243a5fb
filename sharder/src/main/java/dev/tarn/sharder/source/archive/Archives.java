package dev.tarn.sharder.source.archive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.compression.Compression;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFailures;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.range.PositionedBytes;
import dev.tarn.sharder.source.range.SharedReads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;

/** Opens archives, whose first bytes say what they are. */
public final class Archives {
  private static final int START_LENGTH = 512;

  /** How a zip archive begins: with a member, with its end if it is empty, or as one of parts. */
  private static final List<String> ZIP_STARTS =
      List.of("PK\u0003\u0004", "PK\u0005\u0006", "PK\u0007\b");

  private static final String TAR_MAGIC = "ustar";
  private static final int TAR_MAGIC_OFFSET = 257;

  private final Storage storage;
  private final SourceOptions options;
  private final SharedReads reads;
  private final PassingWindows windows = new PassingWindows();

  /**
   * @param reads which the archives share, and leave open
   */
  public Archives(Storage storage, SourceOptions options, SharedReads reads) {
    this.storage = requireNonNull(storage, "storage is null");
    this.options = requireNonNull(options, "options is null");
    this.reads = requireNonNull(reads, "reads is null");
  }

  /**
   * Opens a tar archive, plain or compressed as a whole, or a zip archive.
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
    if (Compression.of(start) != null) {
      return TarSource.compressed(file, options, windows);
    }
    Path path = file.path();
    PositionedBytes bytes =
        path == null
            ? new RemoteBytes(file, reads.ahead())
            : new LocalBytes(file, path, reads.files());
    return isZip(file, start, bytes)
        ? new ZipSource(file, bytes, options)
        : TarSource.plain(file, bytes, options);
  }

  /** A program that unpacks a zip archive may stand before it, which only its end shows then. */
  private static boolean isZip(ArchiveFile file, byte[] start, PositionedBytes bytes)
      throws IOException {
    String text = new String(start, ISO_8859_1);
    return ZIP_STARTS.stream().anyMatch(text::startsWith)
        || (!text.startsWith(TAR_MAGIC, TAR_MAGIC_OFFSET)
            && ZipEnd.look(file.name(), bytes) != null);
  }
}
