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
import dev.tarn.sharder.label.ClassesFile;
import dev.tarn.sharder.shard.Datasets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a run's manifest goes. Until then no other may be there, or the very one that the run adds
 * to. Safe for use by many threads at once.
 */
final class ManifestPlace {
  private final Storage storage;
  private final StorageUrl dataset;
  private final StorageUrl url;
  private final Optional<Sha256> base;

  /** The manifest that is added to, as it was found. */
  private @Nullable StoredObject known;

  /**
   * @param base the digest of the manifest that is added to, if one is
   */
  ManifestPlace(Storage storage, StorageUrl dataset, Optional<Sha256> base) {
    this.storage = requireNonNull(storage, "storage is null");
    this.dataset = requireNonNull(dataset, "dataset is null");
    this.base = requireNonNull(base, "base is null");
    this.url = dataset.child(DatasetManifest.FILE_NAME);
  }

  /**
   * Makes sure that nobody else wrote a manifest meanwhile.
   *
   * @throws IOException if one is there, or not the one that is added to
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

  /** The files that a commit writes, here or in a run of the same plan before. */
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
          url + ": the dataset has changed since it was planned what to append to it: plan again");
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
   * The dataset's manifest, if it says already what a run would write; else nothing is in its way.
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
   * Writes the manifest, unless that was done before the run was broken off.
   *
   * @param pack what the run says of itself
   * @param shards which it made
   * @param classes of the dataset, those that were there and those that are new
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

  /** Whether a manifest says of its last pack what is to be said. */
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

  /** New classes get a file of their own, since the former manifest still names the former one. */
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
