package dev.tarn.client.origin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Range;
import dev.tarn.client.storage.RangeStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads of Tarn that fall back to the origin, which has the same objects with the same ETags. */
@Timeout(60)
final class OriginStorageTest {
  private static final StorageUrl TARN = StorageUrl.parse("memory://tarn/cached");
  private static final StorageUrl ORIGIN = StorageUrl.parse("memory://origin/original");
  private static final StorageUrl SHARD = TARN.child("train/shard-0.tar");
  private static final String CONTENT = "the bytes of a shard";

  private final MemoryStorage objects = new MemoryStorage();
  private final FailingTarn tarn = new FailingTarn(objects);
  private final MovedObjects there = new MovedObjects(objects);
  private final Heard heard = new Heard();
  private final OriginStorage storage = storage(Duration.ofDays(1));

  private OriginStorage storage(Duration askPeriod) {
    DataOrigin origin = new DataOrigin(TARN, ORIGIN, StorageOptions.defaults());
    return new OriginStorage(tarn, origin, there, heard, askPeriod);
  }

  @BeforeEach
  void write() throws IOException {
    objects.write(SHARD, ByteBuffer.wrap(CONTENT.getBytes(UTF_8)));
  }

  @AfterEach
  void close() {
    storage.close();
  }

  /** Tarn, which fails when a test says so. */
  private static final class FailingTarn extends ForwardingStorage {
    private final AtomicInteger reads = new AtomicInteger();
    private volatile @Nullable Kind failing;
    private volatile boolean readsAlone;
    private volatile boolean broken;
    private volatile boolean listing = true;
    private volatile long breakingAt = Long.MAX_VALUE;

    FailingTarn(Storage objects) {
      super(objects);
    }

    private synchronized void awaitReads(int count) throws InterruptedException {
      while (reads.get() < count) {
        wait();
      }
    }

    private void fail(StorageUrl url) throws StorageException {
      synchronized (this) {
        reads.incrementAndGet();
        notifyAll();
      }
      if (broken) {
        throw new IllegalStateException("broken by a test");
      }
      Kind kind = failing;
      if (kind != null) {
        throw new StorageException(kind, url, "stopped by a test");
      }
    }

    @Override
    public Stream<StoredObject> list(StorageUrl folder) throws IOException {
      fail(folder);
      if (!listing) {
        throw new StorageException(Kind.UNAVAILABLE, folder, "stopped by a test");
      }
      return super.list(folder);
    }

    @Override
    public StoredObject stat(StorageUrl url) throws IOException {
      if (!readsAlone) {
        fail(url);
      }
      return super.stat(url);
    }

    @Override
    public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
        throws IOException {
      fail(url);
      ObjectStream whole = super.open(url, offset, end, etag);
      return breakingAt > whole.end() ? whole : new Breaking(whole, breakingAt);
    }

    @Override
    public void close() {}
  }

  /** A stream that breaks at an offset. */
  private static final class Breaking extends RangeStream {
    private final ObjectStream whole;
    private final long breakingAt;

    Breaking(ObjectStream whole, long breakingAt) {
      super(whole.object(), new Range(whole.position(), whole.end()));
      this.whole = whole;
      this.breakingAt = breakingAt;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (position() == breakingAt) {
        throw new StorageException(Kind.TRUNCATED, object().url(), "broken by a test");
      }
      int count = whole.read(target, offset, (int) Math.min(length, breakingAt - position()));
      advance(count);
      return count;
    }

    @Override
    public boolean isOpen() {
      return whole.isOpen();
    }

    @Override
    public void close() throws IOException {
      whole.close();
    }
  }

  /** The objects below Tarn's folder, below that of the origin. */
  private static final class MovedObjects extends ForwardingStorage {
    private static final DataOrigin NAMES = new DataOrigin(TARN, ORIGIN, StorageOptions.defaults());

    private boolean failing;

    MovedObjects(Storage objects) {
      super(objects);
    }

    private StorageUrl moved(StorageUrl url) throws StorageException {
      if (failing) {
        throw new StorageException(Kind.DENIED, url, "no AWS credentials");
      }
      return NAMES.back(url);
    }

    private static StoredObject moved(StoredObject object) {
      return new StoredObject(NAMES.at(object.url()).orElseThrow(), object.size(), object.etag());
    }

    @Override
    public Stream<StoredObject> list(StorageUrl folder) throws IOException {
      return super.list(moved(folder)).map(MovedObjects::moved);
    }

    @Override
    public StoredObject stat(StorageUrl url) throws IOException {
      return moved(super.stat(moved(url)));
    }

    @Override
    public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
        throws IOException {
      return super.open(moved(url), offset, end, etag);
    }

    @Override
    public void close() {}
  }

  /** What a listener hears. */
  private static final class Heard implements OriginListener {
    private final List<String> events = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    @Override
    public synchronized void originBegun(StorageException cause) {
      events.add("begun: " + cause.getMessage());
    }

    @Override
    public synchronized void originRead(StorageUrl url) {
      events.add("read: " + url);
    }

    @Override
    public synchronized void originEnded(Duration lasted) {
      events.add("ended");
      ended.countDown();
    }

    synchronized List<String> events() {
      return List.copyOf(events);
    }
  }

  private static String content(Storage storage, StorageUrl url) throws IOException {
    return new String(storage.readAll(url, 1000), UTF_8);
  }

  @Test
  void tarnServesWhatItCan() throws IOException {
    assertThat(content(storage, SHARD)).isEqualTo(CONTENT);
    assertThat(heard.events()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"UNAVAILABLE", "TRUNCATED"})
  void readsThatTarnCannotServeComeFromTheOrigin(Kind kind) throws IOException {
    tarn.failing = kind;

    assertThat(content(storage, SHARD)).isEqualTo(CONTENT);
    assertThat(heard.events())
        .containsExactly("begun: " + SHARD + ": stopped by a test", "read: " + SHARD);
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"UNAVAILABLE", "TRUNCATED"})
  void whatTarnReportsOfAnObjectIsNoReasonToAskTheOrigin(Kind kind) {
    tarn.failing = kind;

    assertThatThrownBy(() -> storage.open(SHARD))
        .isInstanceOfSatisfying(
            StorageException.class, failure -> assertThat(failure.kind()).isEqualTo(kind));
    assertThat(heard.events()).isEmpty();
  }

  @Test
  void streamContinuesAtTheOriginWhereTarnBrokeOff() throws IOException {
    tarn.breakingAt = 5;

    assertThat(content(storage, SHARD)).isEqualTo(CONTENT);
    assertThat(heard.events())
        .containsExactly("begun: " + SHARD + ": broken by a test", "read: " + SHARD);
  }

  @Test
  void partOfAnObjectContinuesAtTheOriginWhereTarnBrokeOff() throws IOException {
    tarn.breakingAt = 9;
    ByteBuffer part = ByteBuffer.allocate(8);

    try (ObjectStream stream = storage.open(SHARD, 4, 12, null)) {
      assertThat(stream.readFully(part)).isEqualTo(8);
      assertThat(stream.position()).isEqualTo(12);
      assertThat(stream.read()).isEqualTo(-1);
    }

    assertThat(new String(part.array(), UTF_8)).isEqualTo(CONTENT.substring(4, 12));
  }

  @Test
  void streamDoesNotContinueWithAnotherVersion() throws IOException {
    tarn.breakingAt = 5;
    try (ObjectStream stream = storage.open(SHARD)) {
      objects.write(SHARD, ByteBuffer.wrap("an object that was replaced".getBytes(UTF_8)));

      assertThatThrownBy(() -> stream.readFully(ByteBuffer.allocate(100)))
          .isInstanceOfSatisfying(
              StorageException.class, failure -> assertThat(failure.kind()).isEqualTo(Kind.CHANGED))
          .hasMessageContaining("memory://origin/original/train/shard-0.tar")
          .hasMessageContaining("broken by a test");
    }
  }

  @Test
  void objectsOfTheOriginHaveTheirNamesAtTarn() throws IOException {
    tarn.failing = Kind.UNAVAILABLE;

    assertThat(storage.stat(SHARD).url()).isEqualTo(SHARD);
    try (Stream<StoredObject> listing = storage.list(TARN)) {
      assertThat(listing.map(StoredObject::url)).containsExactly(SHARD);
    }
    try (ObjectStream stream = storage.open(SHARD)) {
      assertThat(stream.object().url()).isEqualTo(SHARD);
    }
  }

  @Test
  void objectsOutsideTheFolderHaveNoOrigin() throws IOException {
    StorageUrl other = StorageUrl.parse("memory://tarn/cached-not/x");
    objects.write(other, ByteBuffer.wrap(new byte[1]));
    tarn.failing = Kind.UNAVAILABLE;

    assertThatThrownBy(() -> storage.open(other)).hasMessageContaining("stopped by a test");
    assertThat(heard.events()).isEmpty();
  }

  @Test
  void tarnIsNotAskedByReadsUntilItIsBack() throws IOException {
    tarn.failing = Kind.UNAVAILABLE;
    assertThat(content(storage, SHARD)).isEqualTo(CONTENT);
    int reads = tarn.reads.get();
    tarn.failing = null;

    assertThat(content(storage, SHARD)).isEqualTo(CONTENT);

    assertThat(tarn.reads.get()).isEqualTo(reads);
  }

  @Test
  void readsReturnToTarnWhenItIsBack() throws Exception {
    try (OriginStorage asking = storage(Duration.ofMillis(1))) {
      tarn.failing = Kind.UNAVAILABLE;
      assertThat(content(asking, SHARD)).isEqualTo(CONTENT);
      assertThat(heard.ended.getCount()).isOne();

      tarn.failing = null;
      heard.ended.await();

      int events = heard.events().size();
      assertThat(content(asking, SHARD)).isEqualTo(CONTENT);
      assertThat(heard.events()).hasSize(events).endsWith("ended");
    }
  }

  @Test
  void failureOfBothNamesBoth() {
    tarn.failing = Kind.UNAVAILABLE;
    there.failing = true;

    assertThatThrownBy(() -> storage.open(SHARD))
        .hasMessage(
            SHARD
                + ": stopped by a test; the origin cannot serve it either: "
                + "memory://origin/original/train/shard-0.tar: no AWS credentials");
  }

  @Test
  void originThatIsOfNoHelpLeavesTarnToBeAsked() throws IOException {
    tarn.failing = Kind.UNAVAILABLE;
    there.failing = true;
    assertThatThrownBy(() -> storage.open(SHARD))
        .isInstanceOfSatisfying(
            StorageException.class,
            failure -> assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE));

    tarn.failing = null;

    assertThat(content(storage, SHARD)).isEqualTo(CONTENT);
    assertThat(heard.events()).containsExactly("begun: " + SHARD + ": stopped by a test");
  }

  @Test
  void tarnThatKnowsAnObjectAndCannotReadItIsNotBack() throws Exception {
    try (OriginStorage asking = storage(Duration.ofMillis(1))) {
      tarn.failing = Kind.UNAVAILABLE;
      assertThat(content(asking, SHARD)).isEqualTo(CONTENT);
      tarn.readsAlone = true;
      tarn.awaitReads(tarn.reads.get() + 3);

      assertThat(heard.events()).doesNotContain("ended");

      tarn.failing = null;
      heard.ended.await();
    }
  }

  @Test
  void tarnThatCannotListIsNotBackBeforeItLists() throws Exception {
    try (OriginStorage asking = storage(Duration.ofMillis(1))) {
      tarn.failing = Kind.UNAVAILABLE;
      asking.list(TARN).close();
      tarn.failing = null;
      tarn.listing = false;
      tarn.awaitReads(tarn.reads.get() + 3);

      assertThat(heard.events()).doesNotContain("ended");

      tarn.listing = true;
      heard.ended.await();
    }
  }

  @Test
  void questionThatFailsUnexpectedlyIsAskedAgain() throws Exception {
    try (OriginStorage asking = storage(Duration.ofMillis(1))) {
      tarn.failing = Kind.UNAVAILABLE;
      assertThat(content(asking, SHARD)).isEqualTo(CONTENT);
      tarn.broken = true;
      tarn.awaitReads(tarn.reads.get() + 3);

      tarn.broken = false;
      tarn.failing = null;
      heard.ended.await();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"the", "the bytes of a shard and more"})
  void streamDoesNotContinueInALocalFileOfAnotherSize(String there, @TempDir Path folder)
      throws IOException {
    DataOrigin local = localOrigin(folder, there);
    tarn.breakingAt = 5;

    try (OriginStorage reads = new OriginStorage(tarn, local, heard);
        ObjectStream stream = reads.open(SHARD)) {
      assertThatThrownBy(() -> stream.readFully(ByteBuffer.allocate(100)))
          .isInstanceOfSatisfying(
              StorageException.class, failure -> assertThat(failure.kind()).isEqualTo(Kind.CHANGED))
          .hasMessageContaining("%d bytes long, at Tarn 20", there.length());
    }
  }

  private static DataOrigin localOrigin(Path folder, String content) throws IOException {
    Files.createDirectories(folder.resolve("train"));
    Files.writeString(folder.resolve("train/shard-0.tar"), content);
    return new DataOrigin(TARN, StorageUrl.parse(folder.toString()), StorageOptions.defaults());
  }

  @Test
  void localFilesHaveNoETagThatComparesWithTarns(@TempDir Path folder) throws IOException {
    DataOrigin local = localOrigin(folder, CONTENT);
    tarn.failing = Kind.UNAVAILABLE;

    try (OriginStorage reads = new OriginStorage(tarn, local, heard);
        Stream<StoredObject> listing = reads.list(TARN);
        ObjectStream stream = reads.open(SHARD)) {
      assertThat(reads.stat(SHARD).etag()).isNull();
      assertThat(stream.object().etag()).isNull();
      assertThat(listing.map(StoredObject::etag)).containsExactly((String) null);
    }
  }

  @Test
  void writesGoToTarnAlone() throws IOException {
    tarn.failing = Kind.UNAVAILABLE;
    assertThat(content(storage, SHARD)).isEqualTo(CONTENT);
    StorageUrl written = TARN.child("new");

    storage.write(written, ByteBuffer.wrap(new byte[3]));
    storage.delete(SHARD);

    assertThat(objects.exists(written)).isTrue();
    assertThat(objects.exists(SHARD)).isFalse();
  }
}
