package dev.tarn.sharder.source;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;

/** Reads files of any storage, and verifies that they have not changed since they were listed. */
public final class StoredFiles {
  private final Storage storage;

  public StoredFiles(Storage storage) {
    this.storage = requireNonNull(storage, "storage is null");
  }

  /**
   * Returns the stamp of an object's content; 0 if the storage has none. A local file's stamp is
   * only its modification time, which is the same on all machines that mount its file system.
   */
  public static long stamp(StoredObject object) throws IOException {
    if (object.url().scheme() == StorageUrl.Scheme.FILE) {
      return Stamps.ofTime(Files.getLastModifiedTime(LocalPaths.of(object.url())));
    }
    String etag = object.etag();
    return etag == null ? 0 : Stamps.ofEtag(etag);
  }

  /** Reads a file like {@link Source#read}. */
  public int read(StorageUrl url, SourceFile file, ByteBuffer target) throws IOException {
    int read;
    try (ObjectStream stream = storage.open(url, 0, target.remaining(), null)) {
      requireListed(stream.object(), file);
      read = stream.readFully(target);
    } catch (IOException e) {
      throw SourceFailures.naming(url.toString(), e);
    }
    requireUnchanged(url, file);
    return read;
  }

  /** Opens a file like {@link Source#open}. */
  public ReadableByteChannel open(StorageUrl url, SourceFile file) throws IOException {
    try {
      ObjectStream stream = storage.open(url);
      boolean listed = false;
      try {
        requireListed(stream.object(), file);
        listed = true;
        return new WatchedChannel(url.toString(), stream, () -> requireUnchanged(url, file));
      } finally {
        if (!listed) {
          stream.close();
        }
      }
    } catch (IOException e) {
      throw SourceFailures.naming(url.toString(), e);
    }
  }

  /**
   * Verifies a local file again after reading: it can change meanwhile, while objects are
   * immutable.
   */
  private void requireUnchanged(StorageUrl url, SourceFile file) throws IOException {
    if (url.scheme() == StorageUrl.Scheme.FILE) {
      try {
        requireListed(storage.stat(url), file);
      } catch (IOException e) {
        throw SourceFailures.naming(url.toString(), e);
      }
    }
  }

  private static void requireListed(StoredObject object, SourceFile file) throws IOException {
    if (object.size() != file.size()) {
      throw SourceFailures.changed(
          object.url().toString(),
          "it had %d bytes, now it has %d".formatted(file.size(), object.size()));
    }
    if (file.stamp() != 0 && stamp(object) != file.stamp()) {
      throw SourceFailures.changed(object.url().toString(), "it was replaced or written to");
    }
  }
}
