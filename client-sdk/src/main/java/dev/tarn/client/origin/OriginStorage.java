package dev.tarn.client.origin;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads from Tarn, and from the origin while Tarn cannot serve a read.
 *
 * <p>One read that fails after its retries shows that Tarn is away. All reads below the folder then
 * go to the origin first, so the retries cost time once. A thread meanwhile reads a byte of the
 * object whose read failed, and any answer of Tarn ends the outage. Reads never wait for it.
 */
public final class OriginStorage extends ForwardingStorage {
  private static final Logger LOG = System.getLogger(OriginStorage.class.getName());

  /** Reads return to Tarn within this time and the time of a failing attempt. */
  private static final Duration ASK_PERIOD = Duration.ofSeconds(2);

  private final Storage tarn;
  private final DataOrigin origin;
  private final Storage there;
  private final OriginListener listener;
  private final Duration askPeriod;
  private volatile @Nullable Outage outage;
  private boolean closed;

  /**
   * A time in which reads go to the origin.
   *
   * @param question to Tarn whether it is back
   */
  private record Outage(StorageException cause, Question question, long beganNanos) {}

  /** A read of Tarn whose answer is of no interest. */
  @FunctionalInterface
  private interface Question {
    void ask() throws IOException;
  }

  /**
   * Makes a storage that reads from Tarn and, while Tarn cannot serve a read after its retries,
   * from the origin. Reads return to Tarn within 10 s of its being back. A stream continues at the
   * origin where it broke off, if the ETag is the same. Writes and deletes go to Tarn alone.
   *
   * @param tarn closed with this one
   */
  public OriginStorage(Storage tarn, DataOrigin origin, OriginListener listener) {
    this(tarn, origin, origin.storage(), listener, ASK_PERIOD);
  }

  /**
   * Makes the storage.
   *
   * @param there the storage of the origin; closed with this one
   * @param askPeriod how long to wait between two questions whether Tarn is back
   */
  OriginStorage(
      Storage tarn, DataOrigin origin, Storage there, OriginListener listener, Duration askPeriod) {
    super(tarn);
    this.tarn = tarn;
    this.origin = requireNonNull(origin, "origin is null");
    this.there = requireNonNull(there, "there is null");
    this.listener = requireNonNull(listener, "listener is null");
    this.askPeriod = requireNonNull(askPeriod, "askPeriod is null");
  }

  /** One way to read, at Tarn or at the origin. */
  @FunctionalInterface
  private interface Read<T> {
    T from(Storage storage, StorageUrl url) throws IOException;
  }

  @Override
  public Stream<StoredObject> list(StorageUrl folder) throws IOException {
    Optional<StorageUrl> other = origin.at(folder);
    return other.isEmpty()
        ? tarn.list(folder)
        : read(
            folder,
            other.orElseThrow(),
            () -> tarn.list(folder).close(),
            Storage::list,
            (storage, url) ->
                storage.list(url).map(object -> atTarn(origin.back(object.url()), object)));
  }

  @Override
  public StoredObject stat(StorageUrl url) throws IOException {
    Optional<StorageUrl> other = origin.at(url);
    return other.isEmpty()
        ? tarn.stat(url)
        : read(
            url,
            other.orElseThrow(),
            () -> readByte(url),
            Storage::stat,
            (storage, object) -> atTarn(url, storage.stat(object)));
  }

  @Override
  public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
      throws IOException {
    Optional<StorageUrl> other = origin.at(url);
    return other.isEmpty()
        ? tarn.open(url, offset, end, etag)
        : read(
            url,
            other.orElseThrow(),
            () -> readByte(url),
            (storage, object) -> {
              ObjectStream stream = storage.open(object, offset, end, etag);
              return new OriginStream(this, stream.object(), stream, false);
            },
            (storage, object) -> {
              ObjectStream stream = storage.open(object, offset, end, comparable(etag));
              return new OriginStream(this, atTarn(url, stream.object()), stream, true);
            });
  }

  private <T> T read(
      StorageUrl url, StorageUrl other, Question question, Read<T> atTarn, Read<T> atOrigin)
      throws IOException {
    Outage now = outage;
    if (now == null) {
      try {
        return atTarn.from(tarn, url);
      } catch (StorageException e) {
        return fromOrigin(url, other, begin(e, question), atOrigin);
      }
    }
    try {
      return fromOrigin(url, other, now, atOrigin);
    } catch (StorageException e) {
      if (isAnswer(e)) {
        throw e;
      }
      try {
        return atTarn.from(tarn, url); // Tarn may be back, and the origin is no help.
      } catch (StorageException again) {
        again.addSuppressed(e);
        throw again;
      }
    }
  }

  private <T> T fromOrigin(StorageUrl url, StorageUrl other, Outage now, Read<T> read)
      throws IOException {
    T value;
    try {
      value = read.from(there, other);
    } catch (StorageException e) {
      StorageException cause = now.cause();
      throw isAnswer(e)
          ? new StorageException(
              e.kind(),
              other,
              "%s (read from the origin: %s)".formatted(e.what(), cause.getMessage()),
              e)
          : new StorageException(
              cause.kind(),
              url,
              "%s; the origin cannot serve it either: %s"
                  .formatted(
                      cause.url().equals(url) ? cause.what() : cause.getMessage(), e.getMessage()),
              e);
    }
    try {
      listener.originRead(url);
    } catch (RuntimeException e) {
      if (value instanceof ObjectStream stream) {
        stream.close();
      }
      throw e;
    }
    return value;
  }

  /** Whether the origin answered about the object. */
  private static boolean isAnswer(StorageException failure) {
    return failure.kind() == Kind.MISSING || failure.kind() == Kind.CHANGED;
  }

  /**
   * Opens the rest of a stream that Tarn could not finish.
   *
   * @param failure of the stream
   */
  ObjectStream rest(ObjectStream stream, StorageException failure) throws IOException {
    StoredObject object = stream.object();
    String etag = object.etag();
    if (etag == null || etag.startsWith("W/")) {
      throw failure; // The origin may have another version.
    }
    Outage now = begin(failure, () -> readByte(object.url()));
    try {
      return fromOrigin(
          object.url(),
          origin.at(object.url()).orElseThrow(),
          now,
          (storage, url) -> {
            long size = storage.stat(url).size();
            if (size != object.size()) {
              throw new StorageException(
                  Kind.CHANGED, url, "%d bytes long, at Tarn %d".formatted(size, object.size()));
            }
            return storage.open(url, stream.position(), stream.end(), comparable(etag));
          });
    } catch (StorageException e) {
      e.addSuppressed(failure);
      throw e;
    }
  }

  /** The ETag, if the origin gives the same ones. */
  private @Nullable String comparable(@Nullable String etag) {
    return origin.url().scheme() == origin.folder().scheme() ? etag : null;
  }

  /** An object of the origin by its name at Tarn. */
  StoredObject atTarn(StorageUrl tarn, StoredObject object) {
    return new StoredObject(tarn, object.size(), comparable(object.etag()));
  }

  /** Begins an outage if there is none, unless the failure is an answer of Tarn. */
  private Outage begin(StorageException failure, Question question) throws StorageException {
    if (!isOutage(failure)) {
      throw failure;
    }
    Outage begun;
    synchronized (this) {
      Outage now = outage;
      if (now != null) {
        return now;
      }
      begun = new Outage(failure, question, System.nanoTime());
      if (closed) {
        return begun;
      }
      outage = begun;
      Thread asking = new Thread(() -> askUntilBack(begun), "tarn-origin");
      asking.setDaemon(true);
      asking.start();
    }
    LOG.log(
        Level.WARNING,
        "Tarn cannot serve {0}; reading {1} from the origin until Tarn is back",
        failure.getMessage(),
        origin.url().printable());
    listener.originBegun(failure);
    return begun;
  }

  private static boolean isOutage(StorageException failure) {
    return failure.kind() == Kind.UNAVAILABLE || failure.kind() == Kind.TRUNCATED;
  }

  private void askUntilBack(Outage begun) {
    try {
      while (awaitPeriod()) {
        if (answers(begun.question())) {
          end(begun);
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits; returns whether to ask again. */
  private synchronized boolean awaitPeriod() throws InterruptedException {
    long endNanos = System.nanoTime() + askPeriod.toNanos();
    for (long left = askPeriod.toMillis(); left > 0 && !closed; ) {
      wait(left);
      left = Duration.ofNanos(endNanos - System.nanoTime()).toMillis();
    }
    return !closed;
  }

  private static boolean answers(Question question) {
    try {
      question.ask();
      return true;
    } catch (StorageException e) {
      return !isOutage(e);
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /** HEAD may succeed while the target with the bytes is away, so this reads one. */
  private void readByte(StorageUrl url) throws IOException {
    try (ObjectStream stream = tarn.open(url, 0, 1, null)) {
      stream.read();
    }
  }

  private void end(Outage ended) {
    synchronized (this) {
      if (closed) {
        return;
      }
      outage = null;
    }
    Duration lasted = Duration.ofNanos(System.nanoTime() - ended.beganNanos());
    LOG.log(
        Level.INFO,
        "Tarn serves {0} again after {1} s; reading from Tarn",
        origin.folder().printable(),
        lasted.toSeconds());
    listener.originEnded(lasted);
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      tarn.close();
    } finally {
      there.close();
    }
  }
}
