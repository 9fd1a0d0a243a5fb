package dev.tarn.sharder.source.archive;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.compression.Compression;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFailures;
import dev.tarn.sharder.source.SourceOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;

/** Opens archives, whose first bytes say what they are. */
public final class Archives {
  private static final int START_LENGTH = 10;
  private static final byte[] ZIP_START = {'P', 'K'};

  private Archives() {}

  /**
   * Opens a tar archive, plain or compressed as a whole, or a zip archive.
   *
   * @param url a local file or an object
   */
  public static Source open(Storage storage, StorageUrl url, SourceOptions options)
      throws IOException {
    ArchiveFile file = ArchiveFile.open(storage, url);
    byte[] start;
    try (InputStream stream = file.stream()) {
      start = stream.readNBytes(START_LENGTH);
    } catch (IOException e) {
      throw SourceFailures.naming(file.name(), e);
    }
    if (Compression.of(start) != null) {
      return TarSource.compressed(file, options);
    }
    Path path = file.path();
    ArchiveBytes bytes = path == null ? new RemoteBytes(file) : new LocalBytes(file, path);
    return isZip(start)
        ? new ZipSource(file, bytes, options)
        : TarSource.plain(file, bytes, options);
  }

  private static boolean isZip(byte[] start) {
    return start.length >= ZIP_START.length
        && Arrays.equals(start, 0, ZIP_START.length, ZIP_START, 0, ZIP_START.length);
  }
}
