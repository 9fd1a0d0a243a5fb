package dev.tarn.sharder.pack;

import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.util.List;

/** A plan cannot be committed because some of its shards are not packed yet. */
public final class MissingShardsException extends IOException {
  private static final long serialVersionUID = 1;

  /** Maximum number of shards that the message names. */
  private static final int NAMES_MAX = 10;

  /**
   * @param dataset the destination of the shards
   * @param missing the names of the missing shards
   * @param shards the number of shards in the plan
   */
  MissingShardsException(StorageUrl dataset, List<String> missing, int shards) {
    super(
        "%s: %d of %d shards are missing, or not as they were planned: %s%s"
            .formatted(
                dataset,
                missing.size(),
                shards,
                String.join(", ", missing.subList(0, Math.min(missing.size(), NAMES_MAX))),
                missing.size() > NAMES_MAX ? ", ..." : ""));
  }
}
