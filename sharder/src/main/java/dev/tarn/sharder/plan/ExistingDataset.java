package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.index.IndexedMember;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.sample.SampleName;
import dev.tarn.sharder.shard.ClassesFile;
import dev.tarn.sharder.shard.Datasets;
import dev.tarn.sharder.shard.OpenIndex;
import dev.tarn.sharder.shard.ShardPlace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A dataset that a plan appends to. Its shards do not change; only its indexes are read. */
public final class ExistingDataset {
  private final Storage storage;
  private final StorageUrl folder;
  private final DatasetManifest manifest;
  private final List<String> classes;

  private ExistingDataset(
      Storage storage, StorageUrl folder, DatasetManifest manifest, List<String> classes) {
    this.storage = requireNonNull(storage, "storage is null");
    this.folder = requireNonNull(folder, "folder is null");
    this.manifest = requireNonNull(manifest, "manifest is null");
    this.classes = List.copyOf(classes);
  }

  /** Receives a member's name and its size in bytes. */
  interface Visitor {
    void visit(byte[] key, byte[] extension, long size) throws IOException;
  }

  /**
   * Opens the dataset of a folder.
   *
   * @throws IOException if there is none, or if its classes differ from the manifest
   */
  public static ExistingDataset open(Storage storage, StorageUrl folder) throws IOException {
    DatasetManifest manifest = Datasets.open(storage, folder);
    List<String> classes = ClassesFile.read(storage, folder, manifest);
    return new ExistingDataset(storage, folder, manifest, classes);
  }

  /** Returns the dataset's manifest. */
  public DatasetManifest manifest() {
    return manifest;
  }

  /** Returns its classes by number. */
  List<String> classes() {
    return classes;
  }

  /** Returns the names of its shards. */
  Set<String> shardNames() {
    return manifest.shards().stream().map(ShardEntry::name).collect(Collectors.toSet());
  }

  /**
   * Visits all members.
   *
   * @param temporary the folder for indexes that do not fit in memory
   * @throws IOException if an index is missing, or does not match the manifest
   */
  void visit(Path temporary, Visitor visitor) throws IOException {
    for (ShardEntry shard : manifest.shards()) {
      try (OpenIndex open = OpenIndex.open(storage, ShardPlace.of(folder, shard), temporary)) {
        String url = folder.child(shard.index().name()).toString();
        if (open == null) {
          throw new IOException(url + ": missing: appending needs the index of each shard");
        }
        if (!Sha256.digest(open.bytes()).equals(shard.index().sha256())) {
          throw new IOException(
              url + ": not the index that the manifest names: its SHA-256 differs");
        }
        visit(open.index(), visitor);
      }
    }
  }

  private static void visit(ShardIndex index, Visitor visitor) throws IOException {
    for (int number = 0; number < index.memberCount(); number++) {
      IndexedMember member = index.member(number);
      int keyLength = SampleName.splitAt(member.name());
      if (keyLength < 0) {
        throw new ShardFormatException("index", 0, member.name() + " has no key and extension");
      }
      visitor.visit(
          MemberNames.encode(member.name().substring(0, keyLength)),
          MemberNames.encode(member.extension()),
          member.size());
    }
  }
}
