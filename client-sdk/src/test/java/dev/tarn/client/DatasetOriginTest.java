package dev.tarn.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.metrics.EpochListener;
import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Epochs of a dataset whose Tarn goes away; a local folder is the origin. */
final class DatasetOriginTest {
  private static final StorageUrl TARN = StorageUrl.parse("memory://tarn/train");
  private static final int SHARDS = 4;
  private static final int SAMPLES = 50;

  @TempDir private Path origin;

  private final MemoryStorage cached = new MemoryStorage();

  @BeforeEach
  void write() throws IOException {
    Shards.dataset(cached, TARN, SHARDS, SAMPLES, 2000);
    try (Storage local = Storage.open()) {
      Shards.dataset(local, StorageUrl.parse(origin.toString()), SHARDS, SAMPLES, 2000);
    }
  }

  /** Tarn, which serves so many reads and is away then. */
  private final class DyingTarn extends ForwardingStorage {
    private final AtomicInteger left;

    DyingTarn(int reads) {
      super(cached);
      this.left = new AtomicInteger(reads);
    }

    private void read(StorageUrl url) throws StorageException {
      if (left.getAndDecrement() <= 0) {
        throw new StorageException(Kind.UNAVAILABLE, url, "killed by a test");
      }
    }

    @Override
    public StoredObject stat(StorageUrl url) throws IOException {
      read(url);
      return super.stat(url);
    }

    @Override
    public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
        throws IOException {
      read(url);
      return super.open(url, offset, end, etag);
    }
  }

  /** A stream of an object whose storage tells no ETag. */
  private static final class WithoutETag extends ObjectStream {
    private final ObjectStream stream;

    WithoutETag(ObjectStream stream) {
      this.stream = stream;
    }

    @Override
    public StoredObject object() {
      return new StoredObject(stream.object().url(), stream.object().size(), null);
    }

    @Override
    public long position() {
      return stream.position();
    }

    @Override
    public long end() {
      return stream.end();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return stream.read(target, offset, length);
    }

    @Override
    public boolean isOpen() {
      return stream.isOpen();
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }

  /** Counts what the origin serves. */
  private static final class Reads implements EpochListener {
    private final AtomicInteger outages = new AtomicInteger();
    private final AtomicInteger reads = new AtomicInteger();

    @Override
    public void originBegun(StorageException cause) {
      outages.incrementAndGet();
    }

    @Override
    public void originRead(StorageUrl url) {
      reads.incrementAndGet();
    }
  }

  private DatasetBuilder dataset(Storage storage, Shuffle shuffle) {
    return ShardDataset.builder()
        .manifest(TARN.toString())
        .origin(origin.toString(), StorageOptions.defaults())
        .storage(storage)
        .shuffle(shuffle)
        .seed(7);
  }

  private static List<String> samples(SampleIterator epoch, int max) {
    List<String> read = new ArrayList<>();
    while (read.size() < max && epoch.hasNext()) {
      Sample sample = epoch.next();
      read.add(sample.key() + " " + new String(sample.bytes("txt"), UTF_8));
    }
    return read;
  }

  private List<String> undisturbed(Shuffle shuffle) throws IOException {
    try (ShardDataset dataset = dataset(cached, shuffle).build();
        SampleIterator epoch = dataset.iterate(0)) {
      return samples(epoch, Integer.MAX_VALUE);
    }
  }

  static Stream<Shuffle> shuffles() {
    return Stream.of(Shuffle.NONE, Shuffle.SHARDS, Shuffle.blocks(16 << 10), Shuffle.FULL);
  }

  @ParameterizedTest
  @MethodSource("shuffles")
  void epochIsTheSameWhereverTarnGoesAway(Shuffle shuffle) throws IOException {
    List<String> expected = undisturbed(shuffle);
    assertThat(expected).hasSize(SHARDS * SAMPLES).doesNotHaveDuplicates();

    for (int served = 0; served < 12; served++) {
      Reads reads = new Reads();
      try (ShardDataset dataset = dataset(new DyingTarn(served), shuffle).listener(reads).build();
          SampleIterator epoch = dataset.iterate(0)) {
        assertThat(samples(epoch, Integer.MAX_VALUE)).isEqualTo(expected);
      }
      if (served < SHARDS) {
        assertThat(reads.outages.get()).isOne();
      }
      assertThat(reads.reads.get()).isGreaterThanOrEqualTo(reads.outages.get());
    }
  }

  @ParameterizedTest
  @MethodSource("shuffles")
  void shardsOfSeveralReadsAreTheSameAtALocalOrigin(Shuffle shuffle) throws IOException {
    Shards.dataset(cached, TARN, SHARDS, SAMPLES, 60_000);
    try (Storage local = Storage.open()) {
      Shards.dataset(local, StorageUrl.parse(origin.toString()), SHARDS, SAMPLES, 60_000);
    }
    List<String> expected = undisturbed(shuffle);

    for (int served = 0; served < 16; served++) {
      try (ShardDataset dataset = dataset(new DyingTarn(served), shuffle).build();
          SampleIterator epoch = dataset.iterate(0)) {
        assertThat(samples(epoch, Integer.MAX_VALUE)).isEqualTo(expected);
      }
    }
  }

  @Test
  void cacheKeepsNothingOfALocalOrigin(@TempDir Path folder) throws IOException {
    Shuffle shuffle = Shuffle.blocks(16 << 10);
    Shards.dataset(cached, TARN, SHARDS, SAMPLES, 60_000);
    List<String> expected = undisturbed(shuffle);
    StorageUrl local = StorageUrl.parse(origin.toString());
    try (Storage files = Storage.open()) {
      Shards.dataset(files, local, SHARDS, SAMPLES, 60_000);
      for (int i = 0; i < SHARDS; i++) {
        Path shard = origin.resolve("shard-00000%d.tar".formatted(i));
        byte[] damaged = Files.readAllBytes(shard);
        damaged[damaged.length / 2] ^= 1;
        Files.write(shard, damaged);
      }
    }

    for (int served = 4; served < 16; served++) {
      Path kept = folder.resolve("" + served);
      try (ShardDataset dataset =
              dataset(new DyingTarn(served), shuffle).cache(kept, 1 << 30).build();
          SampleIterator epoch = dataset.iterate(0)) {
        samples(epoch, Integer.MAX_VALUE);
      } catch (DatasetException e) {
        // The bytes of the origin are not those that the index describes.
      }
      try (ShardDataset dataset = dataset(cached, shuffle).cache(kept, 1 << 30).build();
          SampleIterator epoch = dataset.iterate(0)) {
        assertThat(samples(epoch, Integer.MAX_VALUE)).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shuffles")
  void readsWithAndWithoutAnETagBelongTogether(Shuffle shuffle) throws IOException {
    Shards.dataset(cached, TARN, SHARDS, SAMPLES, 60_000);
    List<String> expected = undisturbed(shuffle);
    AtomicInteger reads = new AtomicInteger();
    Storage forgetful =
        new ForwardingStorage(cached) {
          @Override
          public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
              throws IOException {
            ObjectStream stream = super.open(url, offset, end, etag);
            return reads.incrementAndGet() % 3 == 0 ? stream : new WithoutETag(stream);
          }
        };

    try (ShardDataset dataset =
            ShardDataset.builder()
                .manifest(TARN.toString())
                .storage(forgetful)
                .shuffle(shuffle)
                .seed(7)
                .build();
        SampleIterator epoch = dataset.iterate(0)) {
      assertThat(samples(epoch, Integer.MAX_VALUE)).isEqualTo(expected);
    }
  }

  @Test
  void checkpointOfAnEpochResumesWhileTarnIsAway() throws IOException {
    Shuffle shuffle = Shuffle.blocks(16 << 10);
    List<String> expected = undisturbed(shuffle);
    List<String> read;
    Checkpoint checkpoint;
    try (ShardDataset dataset = dataset(new DyingTarn(3), shuffle).build();
        SampleIterator epoch = dataset.iterate(0)) {
      read = samples(epoch, 70);
      checkpoint = epoch.checkpoint();
    }

    try (ShardDataset dataset = dataset(new DyingTarn(0), shuffle).build();
        SampleIterator epoch = dataset.resume(checkpoint)) {
      read.addAll(samples(epoch, Integer.MAX_VALUE));
    }

    assertThat(read).isEqualTo(expected);
  }

  @Test
  void originBelongsToTheDatasetThatWasNamedLast() throws IOException {
    StorageUrl other = StorageUrl.parse("memory://tarn/other");
    Shards.dataset(cached, other, SHARDS, new int[] {10}, 100);

    assertThatThrownBy(() ->
            ShardDataset.builder()
                .manifest(TARN.toString())
                .origin(origin.toString(), StorageOptions.defaults())
                .manifest(other.toString())
                .storage(new DyingTarn(0))
                .build())
        .hasMessageContaining(other.toString())
        .hasMessageContaining("killed by a test");
  }

  @Test
  void originNeedsADatasetAndOneFolder() {
    assertThatThrownBy(
            () -> ShardDataset.builder().origin("s3://user@origin/x", StorageOptions.defaults()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("name the dataset first")
        .hasMessageNotContaining("user");
    assertThatThrownBy(() ->
            ShardDataset.builder()
                .shards("memory://tarn/{a,b}/shard-000000.tar")
                .origin("s3://origin/x", StorageOptions.defaults())
                .storage(cached)
                .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the shards lie in 2 folders, expected one");
    assertThatThrownBy(() ->
            ShardDataset.builder()
                .manifest(origin.toString())
                .origin("s3://origin/x", StorageOptions.defaults())
                .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is a local folder and has no origin");
  }
}
