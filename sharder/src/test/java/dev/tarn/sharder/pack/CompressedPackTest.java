package dev.tarn.sharder.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.compression.ShardStreams;
import dev.tarn.shard.index.IndexedMember;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.index.ShardRanges;
import dev.tarn.shard.index.ShardRestarts;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.Planner;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CompressedPackTest {
  private static final StorageUrl PLAIN = PackedMemory.dataset("plain");
  private static final StorageUrl COMPRESSED = PackedMemory.dataset("compressed");

  private static PlanOptions options(Compression method) {
    return PackedMemory.options()
        .maximumSize(24 << 20)
        .maximumCount(90)
        .compression(PackedMemory.compression(method))
        .build();
  }

  private static byte[] tar(MemoryStorage storage, StorageUrl shard) throws IOException {
    try (InputStream stream = ShardStreams.open(shard.toString(), storage.open(shard))) {
      return stream.readAllBytes();
    }
  }

  private static ShardIndex index(MemoryStorage storage, ShardEntry shard) throws IOException {
    byte[] file = storage.readAll(COMPRESSED.child(shard.index().name()), Integer.MAX_VALUE);
    return ShardIndex.of(shard.index().name(), ByteBuffer.wrap(file));
  }

  @ParameterizedTest
  @EnumSource(names = {"GZIP", "ZSTD"})
  void compressedShardsHoldWhatPlainOnesDo(Compression method)
      throws IOException, InterruptedException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      PlanOptions options = PackedMemory.options().maximumSize(24 << 20).maximumCount(90).build();
      DatasetManifest plain = PackedMemory.pack(storage, PLAIN, 2, options);
      DatasetManifest packed = PackedMemory.pack(storage, COMPRESSED, 2, options(method));

      String suffix = method == Compression.GZIP ? ".gz" : ".zst";
      assertThat(packed.shards())
          .extracting(ShardEntry::name)
          .isEqualTo(plain.shards().stream().map(shard -> shard.name() + suffix).toList());
      assertThat(packed.size()).isLessThan(plain.size() / 2);
      assertThat(packed.packs().getFirst().encoder()).startsWith("tarn-tar-2+" + method.text());
      for (int i = 0; i < plain.shards().size(); i++) {
        ShardEntry shard = packed.shards().get(i);
        assertThat(shard.compression()).contains(method);
        assertThat(shard.samplesSha256()).isEqualTo(plain.shards().get(i).samplesSha256());
        assertThat(tar(storage, COMPRESSED.child(shard.name())))
            .isEqualTo(tar(storage, PLAIN.child(plain.shards().get(i).name())));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"GZIP", "ZSTD"})
  void compressedBytesDoNotDependOnTheNumberOfJobs(Compression method)
      throws IOException, InterruptedException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      PackedMemory.pack(storage, PLAIN, 1, options(method));
      PackedMemory.pack(storage, COMPRESSED, 40, options(method));

      Map<String, ByteBuffer> contents = PackedMemory.contents(storage, COMPRESSED);
      assertThat(contents).isEqualTo(PackedMemory.contents(storage, PLAIN));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"GZIP", "ZSTD"})
  void membersAreReadFromTheMiddleOfCompressedShards(Compression method)
      throws IOException, InterruptedException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      DatasetManifest manifest = PackedMemory.pack(storage, COMPRESSED, 3, options(method));

      for (ShardEntry shard : manifest.shards()) {
        ShardIndex index = index(storage, shard);
        StorageUrl url = COMPRESSED.child(shard.name());
        ShardRanges ranges =
            new ShardRanges(
                shard.name(), index, (offset, end) -> storage.open(url, offset, end, null));
        for (int i = 0; i < index.sampleCount(); i++) {
          for (IndexedMember member : index.sample(i).members()) {
            StorageUrl file = PackedMemory.SOURCE.child(member.name());
            try (InputStream bytes =
                ranges.open(member.offset(), member.offset() + member.size())) {
              assertThat(bytes.readAllBytes()).isEqualTo(storage.readAll(file, 10 << 20));
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"GZIP", "ZSTD"})
  void blocksBeginAtSamplesAndTakeFourMebibytesOfTarOrOneSample(Compression method)
      throws IOException, InterruptedException {
    try (MemoryStorage storage = PackedMemory.storage()) {
      DatasetManifest manifest = PackedMemory.pack(storage, COMPRESSED, 3, options(method));

      int larger = 0;
      for (ShardEntry shard : manifest.shards()) {
        ShardRestarts restarts = index(storage, shard).restarts().orElseThrow();
        for (int i = 1; i < restarts.count(); i++) {
          long length = restarts.offset(i) - restarts.offset(i - 1);
          larger += length > 4 << 20 ? 1 : 0;
        }
        assertThat(index(storage, shard).shardLength() - restarts.offset(restarts.count() - 1))
            .as("the end of the archive is a block of its own")
            .isLessThanOrEqualTo(10_240);
      }
      assertThat(larger).isEqualTo(1);
    }
  }

  /** One file whose bytes come in four reads; notes what the progress says at each. */
  private record LargeFile(Progress progress, List<Long> seen) implements Source {
    static final int READS = 4;
    private static final int READ_BYTES = 2 << 20;

    @Override
    public String url() {
      return "large";
    }

    @Override
    public boolean isOrdered() {
      return true;
    }

    @Override
    public void list(Consumer<SourceFile> action) {
      action.accept(SourceFile.named("large.bin", READS * (long) READ_BYTES, 0));
    }

    @Override
    public StorageUrl place(SourceFile file) {
      return PLAIN;
    }

    @Override
    public ReadableByteChannel open(SourceFile file) {
      byte[] bytes = new byte[READS * READ_BYTES];
      return Channels.newChannel(
          new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] target, int offset, int length) {
              if (pos % READ_BYTES == 0) {
                seen.add(progress.bytes());
              }
              return super.read(target, offset, Math.min(length, READ_BYTES - pos % READ_BYTES));
            }
          });
    }

    @Override
    public void close() {}
  }

  @Test
  void progressGoesOnWithinALargeFile() throws IOException, InterruptedException {
    Progress progress = new Progress();
    LargeFile file = new LargeFile(progress, new ArrayList<>());
    PlanOptions options = options(Compression.ZSTD);
    String encoder = Packer.encoder(options.compression());
    try (MemoryStorage storage = new MemoryStorage();
        Plan plan =
            new Planner(options, encoder, SortSpace.usual()).plan(List.of(file), "dataset")) {
      new Packer(storage, COMPRESSED, 1).pack(plan, List.of(file), progress);
    }

    // Each buffer that is full counts, so most of the file counts before its last read.
    assertThat(file.seen().get(LargeFile.READS - 1)).isBetween(4L << 20, 6L << 20);
    assertThat(progress.bytes()).isEqualTo(8L << 20);
    assertThat(progress.files()).isEqualTo(1);
  }
}
