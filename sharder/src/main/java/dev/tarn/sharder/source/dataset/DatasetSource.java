package dev.tarn.sharder.source.dataset;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.index.IndexedMember;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.shard.ClassesFile;
import dev.tarn.sharder.shard.Datasets;
import dev.tarn.sharder.shard.OpenIndex;
import dev.tarn.sharder.source.ListingFaults;
import dev.tarn.sharder.source.LocalPaths;
import dev.tarn.sharder.source.RelativeNames;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFailures;
import dev.tarn.sharder.source.SourceFile;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.range.SharedReads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * The members of a dataset as its indexes list them, in the order of its shards. Every member is
 * verified against the CRC32C in its index when it is read. Nothing is packed from a shard that has
 * changed.
 */
public final class DatasetSource implements Source {
  private final Storage storage;
  private final StorageUrl url;
  private final DatasetManifest manifest;
  private final List<DatasetShard> shards;
  private final SharedReads reads;
  private final ListingFaults faults;

  private DatasetSource(
      Storage storage,
      StorageUrl url,
      DatasetManifest manifest,
      SharedReads reads,
      SourceOptions options) {
    this.storage = requireNonNull(storage, "storage is null");
    this.url = requireNonNull(url, "url is null");
    this.reads = requireNonNull(reads, "reads is null");
    this.faults = options.faults();
    this.manifest = requireNonNull(manifest, "manifest is null");
    this.shards =
        manifest.shards().stream()
            .map(entry ->
                new DatasetShard(storage, url.parent(), entry, options.temporaryDirectory()))
            .toList();
  }

  /**
   * Opens a dataset.
   *
   * @param url of its {@code dataset.json}
   * @param reads shared with other sources, and not closed
   */
  public static DatasetSource open(
      Storage storage, StorageUrl url, SharedReads reads, SourceOptions options)
      throws IOException {
    DatasetManifest manifest = Datasets.open(storage, url.parent());
    return new DatasetSource(storage, url, manifest, reads, options);
  }

  @Override
  public String url() {
    return url.toString();
  }

  @Override
  public boolean isOrdered() {
    return true;
  }

  @Override
  public boolean isChosen() {
    return true;
  }

  @Override
  public List<String> classes() throws IOException {
    return ClassesFile.read(storage, url.parent(), manifest);
  }

  @Override
  public void list(Consumer<SourceFile> action) throws IOException {
    for (int i = 0; i < shards.size(); i++) {
      try (OpenIndex open = shards.get(i).index()) {
        list(i, open.index(), action);
      }
    }
  }

  private void list(int number, ShardIndex index, Consumer<SourceFile> action) throws IOException {
    DatasetShard shard = shards.get(number);
    for (int j = 0; j < index.memberCount(); j++) {
      IndexedMember member = index.member(j);
      if (RelativeNames.leadsOut(member.name())) {
        faults.skip(
            member.name(),
            "",
            new IOException(
                "%s: member %s leads out of where it is unpacked: names must be relative and"
                        .formatted(shard.url(), MemberNames.printable(member.name()))
                    + " without \"..\""));
        continue;
      }
      MemberPlace place = new MemberPlace(number, member.offset(), member.crc32c());
      action.accept(
          new SourceFile(member.name(), place.text(), member.size(), shard.stamp(), null));
    }
  }

  @Override
  public int read(SourceFile member, ByteBuffer target) throws IOException {
    MemberPlace place = MemberPlace.parse(member.path());
    DatasetShard shard = shard(member, place);
    int start = target.position();
    int limit = target.limit();
    target.limit(start + (int) Math.min(target.remaining(), member.size()));
    try {
      read(shard, place.offset(), target);
    } catch (IOException e) {
      throw SourceFailures.naming(shard.url().toString(), e);
    }
    ByteBuffer data = target.duplicate().flip().position(start);
    target.limit(limit);
    int count = data.remaining();
    if (count == member.size()) {
      CRC32C crc = new CRC32C();
      crc.update(data);
      requireCrc(shard, member, place, (int) crc.getValue());
    }
    return count;
  }

  /** Reads an uncompressed local file by position; reads other shards ahead, in larger blocks. */
  private void read(DatasetShard shard, long offset, ByteBuffer target) throws IOException {
    if (shard.url().scheme() == StorageUrl.Scheme.FILE && !shard.isCompressed()) {
      reads.files().read(LocalPaths.of(shard.url()), offset, target);
    } else {
      reads.ahead().read(shard, offset, target);
    }
  }

  private DatasetShard shard(SourceFile member, MemberPlace place) throws IOException {
    if (place.shard() >= shards.size() || shards.get(place.shard()).stamp() != member.stamp()) {
      throw SourceFailures.changed(url(), "it is not the dataset that was listed");
    }
    return shards.get(place.shard());
  }

  private static void requireCrc(
      DatasetShard shard, SourceFile member, MemberPlace place, int crc32c) throws IOException {
    if (crc32c != place.crc32c()) {
      throw new IOException(
          "%s at byte %d: member %s is corrupt: its CRC32C is not the one that the index says;"
                  .formatted(shard.url(), place.offset(), MemberNames.printable(member.name()))
              + " sharder verify shows other damage");
    }
  }

  @Override
  public ReadableByteChannel open(SourceFile member) throws IOException {
    MemberPlace place = MemberPlace.parse(member.path());
    DatasetShard shard = shard(member, place);
    try {
      return new CheckedChannel(
          Channels.newChannel(shard.open(place.offset(), place.offset() + member.size())),
          crc32c -> requireCrc(shard, member, place, crc32c));
    } catch (IOException e) {
      throw SourceFailures.naming(shard.url().toString(), e);
    }
  }

  @Override
  public StorageUrl place(SourceFile file) throws IOException {
    return shard(file, MemberPlace.parse(file.path())).url();
  }

  @Override
  public void close() {
    // All sources share the open files.
  }
}
