package dev.tarn.sharder.pack;

import java.io.IOException;

/**
 * A sample was lost after some of its bytes were written: its shard must be rewritten without it.
 */
final class ShardRestartException extends IOException {
  private static final long serialVersionUID = 1L;

  ShardRestartException(String shard, IOException reason) {
    super(shard + ": to be written again without a sample", reason);
  }
}
