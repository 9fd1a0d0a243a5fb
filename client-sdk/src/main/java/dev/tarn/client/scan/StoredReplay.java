package dev.tarn.client.scan;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * Reads an uncompressed shard again. Samples of usual size of a remote shard stay in memory, since
 * each read is a request.
 */
final class StoredReplay implements SampleReplay {
  private static final int MEMORY_BYTES = 1024 * 1024;

  private final Storage storage;
  private final StoredObject shard;
  private final ByteBuffer memory;
  private boolean holdsAll = true;

  StoredReplay(Storage storage, StoredObject shard) {
    this.storage = storage;
    this.shard = shard;
    boolean isLocal = shard.url().scheme() == StorageUrl.Scheme.FILE;
    this.memory = ByteBuffer.allocate(isLocal ? 0 : MEMORY_BYTES);
  }

  @Override
  public void append(ByteBuffer data) {
    holdsAll = holdsAll && data.remaining() <= memory.remaining();
    if (holdsAll) {
      memory.put(data.duplicate());
    }
  }

  @Override
  public void clear() {
    memory.clear();
    holdsAll = true;
  }

  @Override
  public InputStream open(long shardOffset, long sampleOffset, long length) throws IOException {
    return holdsAll
        ? new ByteArrayInputStream(memory.array(), (int) sampleOffset, (int) length)
        : storage.open(shard.url(), shardOffset, shardOffset + length, shard.etag());
  }

  @Override
  public void close() {}
}
