package dev.tarn.sharder.source.archive;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.sharder.source.LocalPaths;
import dev.tarn.sharder.source.SourceFailures;
import dev.tarn.sharder.source.SourceFile;
import dev.tarn.sharder.source.Stamps;
import dev.tarn.sharder.source.StoredFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An archive's stored file in the version that was opened; a later read fails if the file changed.
 */
final class ArchiveFile {
  private final Storage storage;
  private final StoredObject object;
  private final @Nullable Path path;
  private final long stamp;

  private ArchiveFile(Storage storage, StoredObject object, @Nullable Path path, long stamp) {
    this.storage = storage;
    this.object = object;
    this.path = path;
    this.stamp = stamp;
  }

  static ArchiveFile open(Storage storage, StorageUrl url) throws IOException {
    requireNonNull(storage, "storage is null");
    Path path = null;
    if (url.scheme() == StorageUrl.Scheme.FILE) {
      path = LocalPaths.of(url);
    }
    StoredObject object = storage.stat(url);
    return new ArchiveFile(storage, object, path, StoredFiles.stamp(object));
  }

  Storage storage() {
    return storage;
  }

  StorageUrl url() {
    return object.url();
  }

  String name() {
    return object.url().toString();
  }

  long size() {
    return object.size();
  }

  long stamp() {
    return stamp;
  }

  /** Returns the local path; null if the file is not local. */
  @Nullable Path path() {
    return path;
  }

  /** Returns the ETag that reads require; null if the storage has no versions. */
  @Nullable String etag() {
    return object.etag();
  }

  /** Opens the stored bytes from the beginning. */
  InputStream stream() throws IOException {
    return stream(object.size());
  }

  /** Opens the stored bytes from the beginning to an offset, or to their end. */
  InputStream stream(long end) throws IOException {
    return storage.open(object.url(), 0, Math.min(end, object.size()), object.etag());
  }

  /** Verifies that a member was listed in this version of the file. */
  void requireListed(SourceFile member) throws IOException {
    if (member.stamp() != stamp) {
      throw SourceFailures.changed(name(), "it is not the archive that was listed");
    }
  }

  /** Verifies that a local file has not changed; for objects, each read verifies the ETag. */
  void requireUnchanged() throws IOException {
    if (path == null) {
      return;
    }
    try {
      if (Stamps.ofTime(Files.getLastModifiedTime(path)) != stamp) {
        throw SourceFailures.changed(name(), "it was written to");
      }
    } catch (FileSystemException e) {
      throw SourceFailures.naming(name(), e);
    }
  }
}
