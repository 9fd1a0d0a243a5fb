package dev.tarn.sharder.pack;

import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.util.List;

/** A plan cannot be committed, since not all of its shards are packed yet. */
public final class MissingShardsException extends IOException {
  private static final long serialVersionUID = 1;

  /** How many shards the message names. */
  private static final int NAMES_MAX = 10;

  /**
   * @param dataset where they should be
   * @param missing their names
   * @param shards how many the plan has
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
