package dev.tarn.targetnode.cache;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.fixtures.s3.SmallS3;
import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.backend.BackendException;
import dev.tarn.targetnode.backend.BackendLimits;
import dev.tarn.targetnode.backend.FetchListener;
import dev.tarn.targetnode.backend.S3Backend;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A backend that notes the ranges read, and can be held at a byte of every range, or be down. */
final class GatedBackend implements Backend {
  private final Backend real;
  private final List<Long> rangesRead = new CopyOnWriteArrayList<>();
  private final CountDownLatch held = new CountDownLatch(1);
  private volatile boolean down;
  private volatile @Nullable CountDownLatch gate;
  private volatile long gateAt;
  private volatile Runnable beforeHead = () -> {};
  private volatile Runnable afterHead = () -> {};
  private volatile Runnable afterChange = () -> {};
  private final AtomicInteger heads = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicLong failing = new AtomicLong(-1);
  private volatile CountDownLatch failingWhen = new CountDownLatch(0);

  GatedBackend(Backend real) {
    this.real = real;
  }

  /** The backend of these settings. */
  static GatedBackend of(BackendSettings settings) {
    return new GatedBackend(S3Backend.open(settings, BackendLimits.DEFAULT));
  }

  /** The settings of a backend that is all of a small S3. */
  static BackendSettings settings(SmallS3 other) {
    return new BackendSettings(
        Optional.of(other.endpoint()), "us-east-1", SmallS3.BUCKET, "", "id", "secret");
  }

  /** Where the ranges began that were read, in order. */
  List<Long> rangesRead() {
    return rangesRead;
  }

  /** From now on nothing is answered. */
  void goDown() {
    down = true;
  }

  /** Holds every read before this byte of its range, until the latch opens. */
  void hold(long byteOfRange, CountDownLatch latch) {
    gateAt = byteOfRange;
    gate = latch;
  }

  /** Waits until a read is held. */
  void awaitHeld() throws InterruptedException {
    held.await();
  }

  /** From now on this runs before each HEAD. */
  void beforeHead(Runnable step) {
    beforeHead = step;
  }

  /** From now on this runs after each HEAD, before its answer is seen. */
  void afterHead(Runnable step) {
    afterHead = step;
  }

  /** From now on this runs after each change of an object, before its answer is seen. */
  void afterChange(Runnable step) {
    afterChange = step;
  }

  /** The next read of a range that begins here fails. */
  void failOnce(long first) {
    failOnce(first, new CountDownLatch(0));
  }

  /** The next read of a range that begins here fails when the latch opens. */
  void failOnce(long first, CountDownLatch latch) {
    failingWhen = latch;
    failing.set(first);
  }

  /** How many reads have not been closed. */
  int open() {
    return open.get();
  }

  /** How many HEADs were asked for. */
  int heads() {
    return heads.get();
  }

  /** Lets reads that begin from now on pass. */
  void release() {
    gate = null;
  }

  private Backend reached() {
    if (down) {
      throw new BackendException(
          new Failure.BackendFailed(0, "", "the backend is down"), true, new IOException("down"));
    }
    return real;
  }

  @Override
  public Backend tracedBy(String traceparent) {
    return this;
  }

  @Override
  public Backend heardBy(FetchListener listener) {
    return this;
  }

  @Override
  public boolean mayAsk() {
    return real.mayAsk();
  }

  @Override
  public BackendObject head(ObjectKey key, Optional<String> version) {
    heads.incrementAndGet();
    beforeHead.run();
    BackendObject object = reached().head(key, version);
    afterHead.run();
    return object;
  }

  @Override
  public BackendPart headPart(ObjectKey key, Optional<String> version, int number) {
    return reached().headPart(key, version, number);
  }

  @Override
  public BackendRead read(
      ObjectKey key, Optional<String> version, long first, long last, Optional<String> validator) {
    rangesRead.add(first);
    if (failing.compareAndSet(first, -1)) {
      awaitUninterruptibly(failingWhen);
      throw new BackendException(
          new Failure.BackendFailed(0, "", "the range fails"), true, new IOException("range"));
    }
    BackendRead read = reached().read(key, version, first, last, validator);
    return new BackendRead(read.object(), new Gated(read.body()), read.length());
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private final class Gated extends FilterInputStream {
    private final @Nullable CountDownLatch holding = gate;
    private long done;

    Gated(InputStream body) {
      super(body);
      open.incrementAndGet();
    }

    @Override
    public void close() throws IOException {
      open.decrementAndGet();
      super.close();
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] destination, int offset, int length) throws IOException {
      CountDownLatch latch = holding;
      int wanted = length;
      if (latch != null && latch.getCount() > 0) {
        if (done >= gateAt) {
          held.countDown();
          await(latch);
        } else {
          wanted = (int) Math.min(length, gateAt - done);
        }
      }
      int count = super.read(destination, offset, wanted);
      done += Math.max(count, 0);
      return count;
    }

    private static void await(CountDownLatch latch) throws IOException {
      try {
        latch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    }
  }

  @Override
  public BackendWrite put(
      ObjectKey key,
      ObjectAttributes attributes,
      InputStream body,
      long length,
      Preconditions preconditions) {
    BackendWrite written = reached().put(key, attributes, body, length, preconditions);
    afterChange.run();
    return written;
  }

  @Override
  public BackendDeletion delete(
      ObjectKey key,
      Optional<String> version,
      Preconditions preconditions,
      boolean bypassesGovernance) {
    BackendDeletion deletion = reached().delete(key, version, preconditions, bypassesGovernance);
    afterChange.run();
    return deletion;
  }

  @Override
  public BackendWrite copy(TargetRequest.Copy request, Optional<String> sourceValidator) {
    BackendWrite copied = reached().copy(request, sourceValidator);
    afterChange.run();
    return copied;
  }

  @Override
  public Map<String, String> tags(ObjectKey key, Optional<String> version) {
    return reached().tags(key, version);
  }

  @Override
  public void setTags(ObjectKey key, Optional<String> version, Map<String, String> tags) {
    reached().setTags(key, version, tags);
  }

  @Override
  public ListPage list(String prefix, String delimiter, String after, int entriesMax) {
    return reached().list(prefix, delimiter, after, entriesMax);
  }

  @Override
  public String createUpload(ObjectKey key, ObjectAttributes attributes) {
    return reached().createUpload(key, attributes);
  }

  @Override
  public ObjectPart putPart(
      ObjectKey key, String uploadId, int number, InputStream body, long length) {
    return reached().putPart(key, uploadId, number, body, length);
  }

  @Override
  public ObjectPart copyPart(
      ObjectKey key, String uploadId, int number, TargetRequest.CopySource source, ByteSpan span) {
    return reached().copyPart(key, uploadId, number, source, span);
  }

  @Override
  public BackendWrite complete(UploadRequest.Complete request) {
    BackendWrite completed = reached().complete(request);
    afterChange.run();
    return completed;
  }

  @Override
  public void abort(ObjectKey key, String uploadId) {
    reached().abort(key, uploadId);
  }

  @Override
  public PartPage listParts(ObjectKey key, String uploadId, int afterNumber, int partsMax) {
    return reached().listParts(key, uploadId, afterNumber, partsMax);
  }

  @Override
  public UploadPage listUploads(ListRequest.ListUploads request) {
    return reached().listUploads(request);
  }

  @Override
  public void close() {
    real.close();
  }
}
