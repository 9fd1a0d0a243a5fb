package dev.tarn.sharder.shard;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.sharder.source.range.PositionedBytes;
import dev.tarn.sharder.source.range.Ranged;
import dev.tarn.sharder.source.range.ReadAhead;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * A shard's bytes by ranges, all from one version.
 *
 * @param storage must stay open while this object is in use
 * @param reads shared with other shards
 */
record StoredShard(Storage storage, StoredObject object, ReadAhead reads)
    implements PositionedBytes, Ranged {
  StoredShard {
    requireNonNull(storage, "storage is null");
    requireNonNull(object, "object is null");
    requireNonNull(reads, "reads is null");
  }

  @Override
  public long size() {
    return object.size();
  }

  @Override
  public InputStream open(long offset, long end) throws IOException {
    return storage.open(object.url(), offset, end, object.etag());
  }

  @Override
  public int read(long offset, ByteBuffer target) throws IOException {
    return reads.read(this, offset, target);
  }

  @Override
  public void close() {
    // The caller owns the storage.
  }
}
