package dev.tarn.sharder.plan;

import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.TemporaryFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The bytes of a plan's file, stored or temporary. Thread-safe. */
interface PlanBytes extends AutoCloseable {
  /** Returns its name in messages. */
  String name();

  long length();

  /** Fills the buffer from an offset in the file. */
  void read(long offset, ByteBuffer target) throws IOException;

  @Override
  void close() throws IOException;

  /** A stored file; reads fail if it has changed since it was opened. */
  record Stored(Storage storage, StoredObject object) implements PlanBytes {
    static Stored open(Storage storage, StorageUrl url) throws IOException {
      return new Stored(storage, storage.stat(url));
    }

    @Override
    public String name() {
      return object.url().toString();
    }

    @Override
    public long length() {
      return object.size();
    }

    @Override
    public void read(long offset, ByteBuffer target) throws IOException {
      try (ObjectStream stream =
          storage.open(object.url(), offset, offset + target.remaining(), object.etag())) {
        stream.readFully(target);
      }
      if (target.hasRemaining()) {
        throw new StorageException(
            StorageException.Kind.CHANGED, object.url(), "the plan became shorter");
      }
    }

    @Override
    public void close() {
      // The caller owns the storage.
    }
  }

  /** An unnamed temporary file, which is deleted when it is closed. */
  record Temporary(TemporaryFile file, long length) implements PlanBytes {
    @Override
    public String name() {
      return "the temporary plan";
    }

    @Override
    public void read(long offset, ByteBuffer target) throws IOException {
      file.read(offset, target);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
