package dev.tarn.targetnode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.object.Origin;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.fixtures.s3.Dialect;
import dev.tarn.fixtures.s3.SmallS3;
import dev.tarn.targetnode.backend.Backend.BackendObject;
import dev.tarn.targetnode.backend.BackendException;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Piece;
import dev.tarn.targetnode.store.record.Unit;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Readers of a unit that is not kept. */
final class SharedPassTest {
  private static final int SIZE = 1_000_000;
  private static final ObjectName NAME = new ObjectName(new BucketId(1), ObjectKey.of("key"));

  private final SmallS3 other = SmallS3.start(Dialect.MINIO);
  private final GatedBackend backend = GatedBackend.of(GatedBackend.settings(other));
  private final byte[] bytes = new byte[SIZE];
  private final ObjectRecord object;
  private final Unit unit;

  SharedPassTest() {
    new Random(3).nextBytes(bytes);
    backend.put(
        NAME.key(),
        ObjectAttributes.NONE,
        new ByteArrayInputStream(bytes),
        SIZE,
        Preconditions.NONE);
    BackendObject there = backend.head(NAME.key(), Optional.empty());
    object =
        ObjectRecord.first(
            new ObjectMetadata(
                NAME,
                new ObjectVersion(0, 1, 0),
                true,
                false,
                SIZE,
                there.etag(),
                List.of(),
                ObjectAttributes.NONE,
                1,
                List.of(),
                new Origin(there.validator(), null, 1, 1)),
            "",
            List.of(new Piece.CachedUnits(SIZE)));
    unit = object.unit(0);
  }

  @AfterEach
  void close() {
    backend.close();
    other.close();
  }

  private Optional<SharedPass> join(SharedPasses passes, long position) {
    return passes.join(backend, object, unit, position, SIZE);
  }

  /** Reads from a position to the end. */
  private static byte[] read(SharedPass pass, int position) throws IOException {
    ByteBuffer all = ByteBuffer.allocate(SIZE - position);
    while (all.hasRemaining()) {
      assertThat(pass.read(position + all.position(), all)).isNotEqualTo(SharedPass.BEHIND);
    }
    return all.array();
  }

  @Test
  void readersShareOneReadOfTheBackend() throws IOException {
    SharedPasses passes = new SharedPasses(new CacheMeters(new SimpleMeterRegistry()), 64 << 20);
    SharedPass first = join(passes, 0).orElseThrow();
    SharedPass second = join(passes, 0).orElseThrow();

    assertThat(read(first, 0)).isEqualTo(bytes);
    SharedPass late = join(passes, 1000).orElseThrow();
    assertThat(read(late, 1000)).isEqualTo(Arrays.copyOfRange(bytes, 1000, SIZE));
    assertThat(read(second, 0)).isEqualTo(bytes);

    assertThat(second).isSameAs(first);
    assertThat(late).isSameAs(first);
    assertThat(backend.rangesRead()).containsExactly(0L);
  }

  @Test
  void readerThatIsFarBehindIsTold() throws IOException {
    SharedPasses passes =
        new SharedPasses(new CacheMeters(new SimpleMeterRegistry()), 2 * SharedPass.CHUNK_BYTES);
    SharedPass fast = join(passes, 0).orElseThrow();
    SharedPass slow = join(passes, 0).orElseThrow();
    slow.read(0, ByteBuffer.allocate(10));

    assertThat(read(fast, 0)).isEqualTo(bytes);

    assertThat(slow.read(10, ByteBuffer.allocate(10))).isEqualTo(SharedPass.BEHIND);
  }

  @Test
  void memoryIsGivenBackWhenTheLastReaderLeaves() throws IOException {
    SharedPasses passes =
        new SharedPasses(new CacheMeters(new SimpleMeterRegistry()), SharedPass.CHUNK_BYTES);
    SharedPass first = join(passes, 0).orElseThrow();
    SharedPass second = join(passes, 0).orElseThrow();
    assertThat(join(passes, SIZE / 2)).isEmpty();
    first.leave();
    assertThat(read(second, 0)).isEqualTo(bytes);
    assertThat(join(passes, 0)).isEmpty();
    second.leave();

    SharedPass next = join(passes, SIZE / 2).orElseThrow();
    assertThat(read(next, SIZE / 2)).isEqualTo(Arrays.copyOfRange(bytes, SIZE / 2, SIZE));
  }

  @Test
  void readerThatStallsGivesItsConnectionBackAndReadsOn() throws IOException {
    int first = 10;
    int length = 500_000;
    ByteBuffer read = ByteBuffer.allocate(length);
    ObjectHead head = new ObjectHead(object.metadata(), first, length, 0);
    try (PassingReader reader =
        new PassingReader(
            head, Optional.empty(), backend, new CacheMeters(new SimpleMeterRegistry()), null)) {
      reader.begin();
      for (int end = 100_000; end <= length; end += 100_000) {
        read.limit(end);
        while (read.hasRemaining()) {
          assertThat(reader.read(read)).isTrue();
        }
        reader.idle();
      }
      assertThat(reader.read(read)).isFalse();
    }

    assertThat(Arrays.equals(read.array(), Arrays.copyOfRange(bytes, first, first + length)))
        .isTrue();
    assertThat(backend.rangesRead()).containsExactly(10L, 100_010L, 200_010L, 300_010L, 400_010L);
  }

  @Test
  void failureOfTheBackendReachesEachReaderAndNoLaterOne() throws IOException {
    SharedPasses passes = new SharedPasses(new CacheMeters(new SimpleMeterRegistry()), 64 << 20);
    SharedPass first = join(passes, 0).orElseThrow();
    SharedPass second = join(passes, 0).orElseThrow();
    backend.goDown();

    assertThatThrownBy(() -> first.await(0)).isInstanceOf(BackendException.class);
    assertThatThrownBy(() -> second.await(0)).isInstanceOf(BackendException.class);

    assertThat(join(passes, 0).orElseThrow()).isNotSameAs(first);
  }
}
