package dev.tarn.sharder.pack;

import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.ObjectWriter;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Another storage, to change one thing of. */
public class ForwardingStorage implements Storage {
  private final Storage storage;

  protected ForwardingStorage(Storage storage) {
    this.storage = storage;
  }

  @Override
  public Stream<StoredObject> list(StorageUrl folder) throws IOException {
    return storage.list(folder);
  }

  @Override
  public StoredObject stat(StorageUrl url) throws IOException {
    return storage.stat(url);
  }

  @Override
  public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
      throws IOException {
    return storage.open(url, offset, end, etag);
  }

  @Override
  public ObjectWriter create(StorageUrl url) throws IOException {
    return storage.create(url);
  }

  @Override
  public void delete(StorageUrl url) throws IOException {
    storage.delete(url);
  }

  @Override
  public void close() {
    storage.close();
  }

  /** Another writer, to change one thing of. */
  static class Writer extends ObjectWriter {
    private final ObjectWriter writer;

    Writer(ObjectWriter writer) {
      this.writer = writer;
    }

    @Override
    public StorageUrl url() {
      return writer.url();
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      return writer.write(source);
    }

    @Override
    public StoredObject commit() throws IOException {
      return writer.commit();
    }

    @Override
    public boolean isOpen() {
      return writer.isOpen();
    }

    @Override
    public void close() throws IOException {
      writer.close();
    }
  }
}
