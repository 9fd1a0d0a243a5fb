package dev.tarn.sharder.shard;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.DatasetManifest;
import java.io.IOException;

/** Opens datasets. */
public final class Datasets {
  /** Enough for about a million shards; a manifest is read as a whole. */
  private static final int MAXIMUM_MANIFEST_LENGTH = 512 * 1024 * 1024;

  private Datasets() {}

  /**
   * Reads the manifest of a dataset.
   *
   * @param dataset its folder
   * @throws StorageException of kind MISSING if there is none
   */
  public static DatasetManifest open(Storage storage, StorageUrl dataset) throws IOException {
    StorageUrl manifest = dataset.child(DatasetManifest.FILE_NAME);
    try {
      return DatasetManifest.parse(
          manifest.toString(), storage.readAll(manifest, MAXIMUM_MANIFEST_LENGTH));
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.MISSING && !e.isBucketMissing()) {
        throw new StorageException(
            e.kind(),
            manifest,
            "there is no dataset: its manifest, which packing writes last, is missing",
            e);
      }
      throw e;
    }
  }
}
