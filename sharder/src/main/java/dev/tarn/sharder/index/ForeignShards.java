package dev.tarn.sharder.index;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.PackEntry;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.shard.ShardSelection;
import dev.tarn.sharder.source.RelativeNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Finds shards that belong to no dataset yet, and makes a dataset of them. */
public final class ForeignShards {
  /** The encoder's name in the manifest, because the program that wrote the shards is unknown. */
  public static final String ENCODER = "unknown";

  private ForeignShards() {}

  /**
   * Returns the selected shards: those of a dataset if there is one, otherwise all below a folder
   * that are not hidden.
   *
   * @throws StorageException of kind MISSING if a folder has none
   */
  public static List<ShardPlace> find(Storage storage, List<StorageUrl> urls) throws IOException {
    List<ShardPlace> shards = new ArrayList<>();
    for (StorageUrl url : urls) {
      boolean isNamed =
          ShardPlace.isShardName(url.path()) || url.name().equals(DatasetManifest.FILE_NAME);
      if (isNamed || isDataset(storage, url)) {
        shards.addAll(ShardSelection.shards(storage, List.of(url)));
      } else {
        shards.addAll(below(storage, url));
      }
    }
    return shards;
  }

  /** Returns whether a folder has a manifest. */
  public static boolean isDataset(Storage storage, StorageUrl folder) throws IOException {
    StorageUrl manifest = folder.child(DatasetManifest.FILE_NAME);
    try {
      storage.stat(manifest);
      return true;
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.MISSING) {
        return false;
      }
      throw e;
    }
  }

  private static List<ShardPlace> below(Storage storage, StorageUrl folder) throws IOException {
    List<ShardPlace> shards = new ArrayList<>();
    try (Stream<StoredObject> objects = storage.list(folder)) {
      objects
          .map(StoredObject::url)
          .filter(url -> ShardPlace.isShardName(url.path()))
          .filter(url -> !RelativeNames.isHidden(url.nameUnder(folder)))
          .forEach(url -> shards.add(ShardPlace.of(url)));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (shards.isEmpty()) {
      throw new StorageException(
          StorageException.Kind.MISSING,
          folder,
          "no shard below it: no name ends in .tar, .tar.gz and so on");
    }
    return shards;
  }

  /**
   * Returns the dataset of some shards.
   *
   * @param folder of the shards and the manifest
   * @param present the existing dataset, whose other shards, packs, splits and classes are kept
   * @throws IllegalArgumentException if a shard is not in the folder
   */
  public static DatasetManifest manifest(
      StorageUrl folder, Optional<DatasetManifest> present, List<IndexedShard> shards) {
    Map<String, ShardEntry> entries = new LinkedHashMap<>();
    List<PackEntry> packs = new ArrayList<>();
    present.ifPresent(dataset -> {
      dataset.shards().forEach(entry -> entries.put(entry.name(), entry));
      packs.addAll(dataset.packs());
    });
    int before = entries.size();
    for (IndexedShard shard : shards) {
      ShardEntry known = entries.get(shard.place().url().nameUnder(folder));
      ShardEntry entry = shard.entry(folder, known == null ? Optional.empty() : known.split());
      entries.put(entry.name(), entry);
    }
    if (entries.size() > before) {
      packs.add(new PackEntry(ENCODER, new TreeMap<>(), entries.size() - before));
    }
    return new DatasetManifest(
        packs, present.flatMap(DatasetManifest::classes), List.copyOf(entries.values()));
  }
}
