package dev.tarn.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.index.ShardIndexBuilder;
import dev.tarn.shard.index.ShardRestarts;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.FileEntry;
import dev.tarn.shard.manifest.PackEntry;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.shard.tar.TarWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;

/** Small datasets whose samples can be told apart. */
final class Shards {
  private static final Sha256 NO_DIGEST = Sha256.digest(ByteBuffer.allocate(0));

  private Shards() {}

  /** What samples hold beside their texts. */
  interface Content {
    /** Of the next sample of a shard. */
    byte[] next(int shard, Random random);
  }

  /** Bytes of a random length. */
  static Content noise(int sizeMax) {
    return (shard, random) -> {
      byte[] noise = new byte[random.nextInt(sizeMax + 1)];
      random.nextBytes(noise);
      return noise;
    };
  }

  /** A shard of samples {@code <shard>/<number>} of a text and of bytes of a random length. */
  static byte[] tar(int shard, int samples, int sizeMax, ShardIndexBuilder index) {
    return tar(shard, samples, noise(sizeMax), index);
  }

  private static byte[] tar(int shard, int samples, Content content, ShardIndexBuilder index) {
    Random random = new Random(shard);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarWriter writer = new TarWriter(Channels.newChannel(bytes))) {
      for (int i = 0; i < samples; i++) {
        String key = key(shard, i);
        member(writer, key + ".bin", content.next(shard, random), index);
        member(writer, key + ".txt", key.getBytes(UTF_8), index);
        index.endSample(new byte[32]);
      }
      writer.finish();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static byte[] tar(int shard, int samples, int sizeMax) {
    return tar(shard, samples, sizeMax, new ShardIndexBuilder());
  }

  static String key(int shard, int sample) {
    return "%d/%06d".formatted(shard, sample);
  }

  /** Writes shards with indexes and a manifest into a folder. */
  static void dataset(Storage storage, StorageUrl folder, int shards, int samples, int sizeMax)
      throws IOException {
    int[] counts = new int[shards];
    Arrays.fill(counts, samples);
    dataset(storage, folder, 0, counts, sizeMax);
  }

  /**
   * Writes shards of so many samples each, which are numbered from a first on in their keys, with
   * indexes and a manifest into a folder.
   */
  static void dataset(Storage storage, StorageUrl folder, int first, int[] counts, int sizeMax)
      throws IOException {
    dataset(storage, folder, first, counts, noise(sizeMax));
  }

  /** The same with samples of other contents. */
  static void dataset(Storage storage, StorageUrl folder, int first, int[] counts, Content content)
      throws IOException {
    List<ShardEntry> entries = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      int samples = counts[i];
      ShardIndexBuilder builder = new ShardIndexBuilder();
      byte[] tar = tar(first + i, samples, content, builder);
      entries.add(write(storage, folder, Optional.empty(), i, tar, builder.build(tar.length, 0)));
    }
    manifest(storage, folder, entries);
  }

  /** The same dataset in shards of gzip members, each of which holds so many samples. */
  static void gzipDataset(
      Storage storage, StorageUrl folder, int shards, int samples, int sizeMax, int memberSamples)
      throws IOException {
    Content content = noise(sizeMax);
    gzipDataset(storage, folder, shards, samples, content, memberSamples, (index, tar) -> {});
  }

  /**
   * The same with samples of other contents.
   *
   * @param damage changes what is compressed, behind the back of the index
   */
  static void gzipDataset(
      Storage storage,
      StorageUrl folder,
      int shards,
      int samples,
      Content content,
      int memberSamples,
      BiConsumer<ShardIndex, byte[]> damage)
      throws IOException {
    List<ShardEntry> entries = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      ShardIndexBuilder plain = new ShardIndexBuilder();
      byte[] tar = tar(i, samples, content, plain);
      ShardIndex index = ShardIndex.of("index", plain.build(tar.length, 0));
      damage.accept(index, tar);
      ByteArrayOutputStream stored = new ByteArrayOutputStream();
      long[] offsets = new long[(samples + memberSamples - 1) / memberSamples];
      long[] storedOffsets = new long[offsets.length];
      for (int part = 0; part < offsets.length; part++) {
        offsets[part] = start(index, part * memberSamples, tar.length);
        storedOffsets[part] = stored.size();
        int end = (int) start(index, (part + 1) * memberSamples, tar.length);
        try (OutputStream gzip = new GZIPOutputStream(stored)) {
          gzip.write(tar, (int) offsets[part], end - (int) offsets[part]);
        }
      }
      ShardRestarts restarts =
          new ShardRestarts(Compression.GZIP, stored.size(), offsets, storedOffsets);
      ShardIndexBuilder builder = new ShardIndexBuilder();
      tar(i, samples, content, builder);
      ByteBuffer file = builder.build(tar.length, 0, restarts);
      Optional<Compression> gzip = Optional.of(Compression.GZIP);
      entries.add(write(storage, folder, gzip, i, stored.toByteArray(), file));
    }
    manifest(storage, folder, entries);
  }

  /** Where the header of a sample's first member begins; behind the last, the archive's end. */
  private static long start(ShardIndex index, int sample, int length) {
    return sample < index.sampleCount()
        ? index.memberOffset(index.sampleStart(sample)) - 512
        : length;
  }

  private static ShardEntry write(
      Storage storage,
      StorageUrl folder,
      Optional<Compression> compression,
      int number,
      byte[] shard,
      ByteBuffer index)
      throws IOException {
    String name = "shard-%06d.tar".formatted(number);
    storage.write(folder.resolve(name), ByteBuffer.wrap(shard));
    storage.write(folder.resolve(name + ShardIndex.SUFFIX), index.duplicate());
    ShardIndex parsed = ShardIndex.of(name, index);
    return new ShardEntry(
        name,
        Optional.empty(),
        compression,
        shard.length,
        parsed.sampleCount(),
        parsed.memberCount(),
        0,
        NO_DIGEST,
        new FileEntry(name + ShardIndex.SUFFIX, index.remaining(), NO_DIGEST));
  }

  private static void manifest(Storage storage, StorageUrl folder, List<ShardEntry> entries)
      throws IOException {
    PackEntry pack = new PackEntry("test 1", new TreeMap<>(), entries.size());
    DatasetManifest manifest = new DatasetManifest(List.of(pack), Optional.empty(), entries);
    storage.write(folder.resolve(DatasetManifest.FILE_NAME), ByteBuffer.wrap(manifest.toJson()));
  }

  /** Takes so many samples, or those that are left; returns how many. */
  static int take(SampleIterator samples, int count) {
    int taken = 0;
    while (taken < count && samples.hasNext()) {
      samples.next();
      taken++;
    }
    return taken;
  }

  /** The keys of an epoch in their order; each sample's text is held against its key. */
  static List<String> keys(ShardDataset dataset, long epoch) {
    List<String> keys = new ArrayList<>();
    try (SampleIterator samples = dataset.iterate(epoch)) {
      while (samples.hasNext()) {
        Sample sample = samples.next();
        String text = UTF_8.decode(sample.get("txt")).toString();
        if (!text.equals(sample.key())) {
          throw new AssertionError("sample %s has the text %s".formatted(sample.key(), text));
        }
        keys.add(sample.key());
      }
    }
    return keys;
  }

  private static void member(TarWriter writer, String name, byte[] data, ShardIndexBuilder index)
      throws IOException {
    long offset = writer.begin(name, data.length);
    writer.write(ByteBuffer.wrap(data));
    CRC32C crc = new CRC32C();
    crc.update(data);
    index.addMember(name, offset, data.length, (int) crc.getValue());
  }
}
