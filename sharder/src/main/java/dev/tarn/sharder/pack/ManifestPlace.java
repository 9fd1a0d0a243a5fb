package dev.tarn.sharder.pack;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.FileEntry;
import dev.tarn.shard.manifest.PackEntry;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.sharder.shard.ClassesFile;
import dev.tarn.sharder.shard.Datasets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The place of a run's manifest. Before the commit, the destination must have no manifest, or
 * exactly the manifest that the run appends to. Thread-safe.
 */
final class ManifestPlace {
  private final Storage storage;
  private final StorageUrl dataset;
  private final StorageUrl url;
  private final Optional<Sha256> base;

  /** The stored manifest that the run appends to; null until it was first verified. */
  private @Nullable StoredObject known;

  /**
   * @param base the digest of the manifest that the run appends to, if any
   */
  ManifestPlace(Storage storage, StorageUrl dataset, Optional<Sha256> base) {
    this.storage = requireNonNull(storage, "storage is null");
    this.dataset = requireNonNull(dataset, "dataset is null");
    this.base = requireNonNull(base, "base is null");
    this.url = dataset.child(DatasetManifest.FILE_NAME);
  }

  /**
   * Verifies that nobody else wrote a manifest in the meantime.
   *
   * @throws IOException if there is a manifest other than the one that the run appends to
   */
  synchronized void require() throws IOException {
    Optional<StoredObject> present = stat();
    if (base.isEmpty()) {
      if (present.isPresent()) {
        throw new FileAlreadyExistsException(
            url + ": a dataset is there already; choose another destination or delete that one");
      }
    } else if (known == null || !present.equals(Optional.of(known))) {
      require(Datasets.open(storage, dataset));
      known = present.orElse(null);
    }
  }

  /**
   * Returns the names of the files that a commit writes; a previous run of this plan may have
   * written them.
   */
  List<String> names() throws IOException {
    if (base.isEmpty() || stat().isEmpty()) {
      return List.of(DatasetManifest.FILE_NAME, ClassesFile.NAME);
    }
    int packs = Datasets.open(storage, dataset).packs().size();
    return List.of(DatasetManifest.FILE_NAME, ClassesFile.name(packs), ClassesFile.name(packs + 1));
  }

  private void require(DatasetManifest present) throws IOException {
    if (!base.equals(Optional.of(present.digest()))) {
      throw new IOException(
          url + ": the dataset has changed since the append was planned; plan again");
    }
  }

  private Optional<StoredObject> stat() throws IOException {
    try {
      return Optional.of(storage.stat(url));
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.MISSING) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * Returns the dataset's manifest if it already has what this run would write; empty if the run
   * can write its manifest.
   *
   * @throws IOException as {@link #require} does
   */
  Optional<DatasetManifest> written(PackEntry pack, List<ShardEntry> shards) throws IOException {
    if (stat().isPresent()) {
      DatasetManifest present = Datasets.open(storage, dataset);
      if (endsWith(present, pack, shards)) {
        return Optional.of(present);
      }
    }
    require();
    return Optional.empty();
  }

  /**
   * Writes the manifest, unless an interrupted run already wrote it.
   *
   * @param pack the run's entry
   * @param shards the shards that the run packed
   * @param classes all classes of the dataset, old and new
   * @return the manifest of the whole dataset
   */
  DatasetManifest commit(PackEntry pack, List<ShardEntry> shards, List<String> classes)
      throws IOException {
    Optional<DatasetManifest> written = written(pack, shards);
    if (written.isPresent()) {
      return written.orElseThrow();
    }
    if (base.isEmpty()) {
      return write(List.of(), pack, Optional.empty(), classes, List.of(), shards);
    }
    DatasetManifest present = Datasets.open(storage, dataset);
    require(present);
    return write(present.packs(), pack, present.classes(), classes, present.shards(), shards);
  }

  /** Returns whether a manifest ends with this pack and these shards. */
  private static boolean endsWith(
      DatasetManifest present, PackEntry pack, List<ShardEntry> shards) {
    int from = present.shards().size() - shards.size();
    return from >= 0
        && present.packs().getLast().equals(pack)
        && present.shards().subList(from, present.shards().size()).equals(shards);
  }

  private DatasetManifest write(
      List<PackEntry> packsBefore,
      PackEntry pack,
      Optional<FileEntry> classesBefore,
      List<String> classes,
      List<ShardEntry> shardsBefore,
      List<ShardEntry> shards)
      throws IOException {
    List<PackEntry> packs = new ArrayList<>(packsBefore);
    packs.add(pack);
    List<ShardEntry> all = new ArrayList<>(shardsBefore);
    all.addAll(shards);
    DatasetManifest manifest =
        new DatasetManifest(packs, writeClasses(classesBefore, classes, packs.size()), all);
    storage.write(url, ByteBuffer.wrap(manifest.toJson()));
    return manifest;
  }

  /** New classes get a new file, because the previous manifest still names the old file. */
  private Optional<FileEntry> writeClasses(
      Optional<FileEntry> before, List<String> classes, int packs) throws IOException {
    if (classes.isEmpty()) {
      return before;
    }
    ByteBuffer file = ByteBuffer.wrap(ClassesFile.write(classes));
    Sha256 sha256 = Sha256.digest(file.duplicate());
    if (before.isPresent() && before.orElseThrow().sha256().equals(sha256)) {
      return before;
    }
    String name = packs == 1 ? ClassesFile.NAME : ClassesFile.name(packs);
    storage.write(dataset.child(name), file.duplicate());
    return Optional.of(new FileEntry(name, file.remaining(), sha256));
  }
}
