package dev.tarn.sharder.index;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads the shard itself again, which is not compressed. */
final class StoredReplay implements SampleReplay {
  private final Storage storage;
  private final StorageUrl shard;

  StoredReplay(Storage storage, StorageUrl shard) {
    this.storage = storage;
    this.shard = shard;
  }

  @Override
  public void append(ByteBuffer data) {}

  @Override
  public void clear() {}

  @Override
  public void read(long shardOffset, long sampleOffset, ByteBuffer target) throws IOException {
    storage.read(shard, shardOffset, target);
    if (target.hasRemaining()) {
      throw new EOFException(shard + ": became shorter while it was read");
    }
  }

  @Override
  public void close() {}
}
