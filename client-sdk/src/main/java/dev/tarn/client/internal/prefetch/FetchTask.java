package dev.tarn.client.internal.prefetch;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One part to fetch: its place in the queue, and its result. */
final class FetchTask {
  private final ShardFetch shard;
  private final long extentNumber;
  private final long offset;
  private final int length;
  private final int memoryBytes;
  private final boolean isLast;
  private @Nullable Chunk chunk;
  private @Nullable Throwable failure;
  private boolean abandoned;

  /**
   * Makes a task.
   *
   * @param extentNumber of its extent, from 0 in the order of consumption
   * @param memoryBytes capacity of its buffer
   * @param isLast whether it is the extent's last part
   */
  FetchTask(
      ShardFetch shard,
      long extentNumber,
      long offset,
      int length,
      int memoryBytes,
      boolean isLast) {
    this.shard = shard;
    this.extentNumber = extentNumber;
    this.offset = offset;
    this.length = length;
    this.memoryBytes = memoryBytes;
    this.isLast = isLast;
  }

  /** How many bytes of the budget it takes. */
  int memoryBytes() {
    return memoryBytes;
  }

  /** The number of its extent, from 0 in the order of consumption. */
  long extentNumber() {
    return extentNumber;
  }

  boolean isLast() {
    return isLast;
  }

  /** Fetches the part into a buffer. */
  Chunk fetch(Prefetch owner, ByteBuffer buffer) throws IOException, InterruptedException {
    buffer.limit(length);
    if (length > 0) {
      shard.fill(offset, buffer);
      buffer.flip();
    }
    return new Chunk(owner, shard, offset, isLast, buffer);
  }

  void arrived(Chunk fetched) {
    chunk = fetched;
    if (abandoned) {
      letGo();
    }
  }

  /** Discards the result, also one that arrives later. */
  void abandon() {
    abandoned = true;
    letGo();
  }

  private void letGo() {
    Chunk fetched = chunk;
    chunk = null;
    if (fetched != null) {
      fetched.release();
    }
  }

  /** The shard of the part. */
  ShardFetch shard() {
    return shard;
  }

  void failed(Throwable cause) {
    failure = cause;
  }

  boolean isDone() {
    return chunk != null || failure != null;
  }

  /** The fetched part. */
  Chunk chunk() throws FetchException {
    Throwable cause = failure;
    if (cause != null) {
      throw new FetchException(shard.extent(), offset, shard.shard().reason(cause), cause);
    }
    Chunk fetched = chunk;
    if (fetched == null) {
      throw new IllegalStateException("the part is still under way");
    }
    return fetched;
  }
}
