package dev.tarn.sharder.source.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.source.ListColumns;
import dev.tarn.sharder.source.ListingFaults;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.open.OpenSources;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Opens archives as sources, and keeps what they notify the user of. */
record OpenArchives(Path directory, List<String> notices) {
  OpenArchives(Path directory) {
    this(directory, new ArrayList<>());
  }

  SourceOptions options(boolean keepsOrder) {
    return new SourceOptions(
        ListColumns.DEFAULT,
        keepsOrder,
        false,
        false,
        directory,
        ListingFaults.ABORT,
        notices::add);
  }

  static byte[] archive(String kind, Map<String, byte[]> files) throws IOException {
    return switch (kind) {
      case "tar" -> ArchiveFiles.tar(files);
      case "tar.gz" -> ArchiveFiles.gzip(ArchiveFiles.tar(files));
      case "zip" -> ArchiveFiles.zip(files);
      case "cpio" -> ArchiveFiles.cpio(files);
      case "cpio.gz" -> ArchiveFiles.gzip(ArchiveFiles.cpio(files));
      case "ar" -> ArchiveFiles.ar(files);
      case "7z" -> ArchiveFiles.sevenZip(files);
      default -> throw new IllegalArgumentException(kind);
    };
  }

  /** The archive as an object. */
  Source object(String kind, byte[] archive) throws IOException {
    return open(false, kind, archive, options(false));
  }

  /** The archive as a local file, or as an object. */
  Source open(boolean local, String kind, byte[] archive, SourceOptions options)
      throws IOException {
    if (local) {
      Path path = Files.write(directory.resolve("a." + kind), archive);
      return only(Storage.open(), path.toString(), options);
    }
    MemoryStorage storage = new MemoryStorage();
    String url = "memory://store/a." + kind;
    storage.write(StorageUrl.parse(url), ByteBuffer.wrap(archive));
    return only(storage, url, options);
  }

  static Source only(Storage storage, String url, SourceOptions options) throws IOException {
    return OpenSources.open(storage, List.of(StorageUrl.parse(url)), options).all().getFirst();
  }

  static List<SourceFile> list(Source source) throws IOException {
    List<SourceFile> files = new ArrayList<>();
    source.list(files::add);
    return files;
  }

  static byte[] read(Source source, SourceFile file) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) file.size() + 1);
    assertThat(source.read(file, buffer)).isEqualTo((int) file.size());
    byte[] bytes = new byte[buffer.flip().remaining()];
    buffer.get(bytes);
    return bytes;
  }

  static byte[] stream(Source source, SourceFile file) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) file.size() + 1);
    try (ReadableByteChannel channel = source.open(file)) {
      while (channel.read(buffer) >= 0) {
        // on to its end
      }
    }
    byte[] bytes = new byte[buffer.flip().remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
