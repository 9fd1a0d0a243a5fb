package dev.tarn.sharder.source;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The objects below a folder of any storage. */
public final class StorageSource implements Source {
  private final Storage storage;
  private final StorageUrl folder;
  private final StoredFiles files;

  public StorageSource(Storage storage, StorageUrl folder) {
    this.storage = requireNonNull(storage, "storage is null");
    this.folder = requireNonNull(folder, "folder is null");
    this.files = new StoredFiles(storage);
  }

  @Override
  public String url() {
    return folder.toString();
  }

  @Override
  public boolean isOrdered() {
    return false;
  }

  /** Lists objects; leaves out names that end in a slash, because they represent folders. */
  @Override
  public void list(Consumer<SourceFile> action) throws IOException {
    boolean isEmpty = true;
    try (Stream<StoredObject> objects = storage.list(folder)) {
      for (StoredObject object : (Iterable<StoredObject>) objects::iterator) {
        isEmpty = false;
        SourceFile file = file(object);
        if (!file.name().isEmpty() && !file.name().endsWith("/")) {
          action.accept(file);
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (isEmpty && isObject()) {
      throw SourceFailures.unknownKind(url());
    }
  }

  /** Returns whether what should be a prefix is an object, such as a file of a kind not known. */
  private boolean isObject() throws IOException {
    if (folder.name().isEmpty()) {
      return false;
    }
    try {
      storage.stat(folder);
      return true;
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.MISSING) {
        return false;
      }
      throw e;
    }
  }

  private SourceFile file(StoredObject object) throws IOException {
    return SourceFile.named(
        object.url().nameUnder(folder), object.size(), StoredFiles.stamp(object));
  }

  @Override
  public int read(SourceFile file, ByteBuffer target) throws IOException {
    return files.read(folder.child(file.path()), file, target);
  }

  @Override
  public ReadableByteChannel open(SourceFile file) throws IOException {
    return files.open(folder.child(file.path()), file);
  }

  @Override
  public StorageUrl place(SourceFile file) {
    return folder.child(file.path());
  }

  @Override
  public void close() {
    // The caller owns the storage.
  }
}
