package dev.tarn.sharder.pack;

import java.io.IOException;

/** A sample was lost after bytes of it were written: its shard must be written anew without it. */
final class ShardRestartException extends IOException {
  private static final long serialVersionUID = 1L;

  ShardRestartException(String shard, IOException reason) {
    super(shard + ": to be written again without a sample", reason);
  }
}
