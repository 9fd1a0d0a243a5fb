package dev.tarn.targetnode.cache;

import dev.tarn.cluster.object.Origin;
import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.backend.Backend.BackendRead;
import dev.tarn.targetnode.backend.BackendException;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Unit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bytes of a unit on their way from the backend through memory to one reader or several. The reader
 * that is ahead of the others reads from the backend, at its own speed. The bytes stay for the
 * others while the memory suffices; a reader that has fallen behind that reads for itself.
 */
final class SharedPass {
  private static final Logger LOG = LoggerFactory.getLogger(SharedPass.class);
  static final int CHUNK_BYTES = 128 << 10;

  /** The result of {@link #read} if the bytes are not in memory any more. */
  static final int BEHIND = -1;

  private final SharedPasses passes;
  private final Backend backend;
  private final ObjectRecord object;
  private final Unit unit;
  private final long end;
  private final CacheMeters meters;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Full but for the last, which {@link #available} bounds. */
  private final Deque<ByteBuffer> chunks = new ArrayDeque<>();

  private long begin;
  private long available;
  private boolean reading;
  private volatile boolean openedAhead;
  private int readers = 1;
  private long held = CHUNK_BYTES;
  private @Nullable BackendRead open;
  private @Nullable RuntimeException failure;

  /** A pass with one reader and memory for one chunk. */
  SharedPass(
      SharedPasses passes,
      Backend backend,
      ObjectRecord object,
      Unit unit,
      long begin,
      long end,
      CacheMeters meters) {
    this.passes = passes;
    this.backend = backend;
    this.object = object;
    this.unit = unit;
    this.begin = begin;
    this.available = begin;
    this.end = end;
    this.meters = meters;
    chunks.add(ByteBuffer.allocate(CHUNK_BYTES));
  }

  /** Adds a reader if the pass has these bytes, or will have them next. */
  boolean wasJoined(long position, long wantedEnd) {
    lock.lock();
    try {
      boolean joins =
          readers > 0
              && failure == null
              && position >= begin
              && position <= available
              && wantedEnd <= end;
      readers += joins ? 1 : 0;
      return joins;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the first byte is here, unless all readers have left. A reader who comes after a
   * failure makes a request of its own.
   */
  void openAhead(long position, long wantedEnd) {
    if (!wasJoined(position, wantedEnd)) {
      return; // Nobody wants the bytes any more, or they are here already.
    }
    openedAhead = true;
    try {
      await(position);
    } catch (BackendException | TruncatedUnitException | IOException e) {
      LOG.debug("{} could not be opened ahead of its reader", unit, e);
    } finally {
      leave();
    }
  }

  /**
   * Whether the request was begun before a reader came: it may have failed at the reader's cost.
   */
  boolean wasOpenedAhead() {
    return openedAhead;
  }

  /** Waits until the byte at this offset of the object is here, or {@link #BEHIND}; blocks. */
  int await(long offset) throws IOException {
    return read(offset, ByteBuffer.allocate(0));
  }

  /**
   * Reads bytes from an offset of the object; blocks until there is one.
   *
   * @return the number of bytes, or {@link #BEHIND}
   */
  int read(long offset, ByteBuffer destination) throws IOException {
    lock.lock();
    try {
      while (offset >= begin && offset >= available) {
        if (failure != null) {
          throw failure;
        }
        if (reading) {
          changed.await();
        } else {
          readMore();
        }
      }
      return offset < begin ? BEHIND : copy(offset, destination);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Read of an object was interrupted", e);
    } finally {
      lock.unlock();
    }
  }

  private int copy(long offset, ByteBuffer destination) {
    int before = destination.position();
    long chunkBegin = begin;
    for (ByteBuffer chunk : chunks) {
      long from = Math.max(offset, chunkBegin);
      long until = Math.min(available, chunkBegin + CHUNK_BYTES);
      int count = (int) Math.min(until - from, destination.remaining());
      if (count > 0) {
        int at = destination.position();
        destination.put(at, chunk, (int) (from - chunkBegin), count);
        destination.position(at + count);
        offset += count;
      }
      chunkBegin += CHUNK_BYTES;
    }
    return destination.position() - before;
  }

  /** Reads from the backend; holds the lock, but not while it waits for the backend. */
  private void readMore() {
    reading = true;
    int filled = (int) (available - begin) % CHUNK_BYTES;
    if (filled == 0 && available > begin) {
      addChunk();
    }
    ByteBuffer tail = chunks.getLast().duplicate().clear().position(filled);
    tail.limit((int) Math.min(tail.capacity(), filled + end - available));
    lock.unlock();
    int count = 0;
    RuntimeException failed = null;
    try {
      count = readSome(tail);
    } catch (BackendException | TruncatedUnitException e) {
      failed = e;
    } catch (IOException e) {
      failed = new TruncatedUnitException(available - unit.begin(), unit.length(), e);
    } finally {
      lock.lock();
      reading = false;
      available += count;
      failure = failed;
      changed.signalAll();
    }
  }

  private void addChunk() {
    if (passes.isTakenForMore(CHUNK_BYTES)) {
      held += CHUNK_BYTES;
      chunks.add(ByteBuffer.allocate(CHUNK_BYTES));
    } else {
      chunks.add(chunks.removeFirst());
      begin += CHUNK_BYTES;
    }
  }

  private int readSome(ByteBuffer tail) throws IOException {
    BackendRead from = open;
    if (from == null) {
      Optional<Origin> origin = Optional.ofNullable(object.metadata().origin());
      from =
          backend.read(
              object.metadata().name().key(),
              origin.map(Origin::version),
              available,
              end - 1,
              origin.map(Origin::etag));
      open = from;
    }
    int count = from.read(tail);
    if (count < 0) {
      throw new TruncatedUnitException(available - unit.begin(), unit.length(), null);
    }
    meters.countFetched(unit.object().bucket(), count);
    return count;
  }

  /** A reader has what it wanted, or ends. The last one ends the pass. */
  void leave() {
    BackendRead left;
    lock.lock();
    try {
      readers--;
      if (readers > 0) {
        return;
      }
      left = open;
      open = null;
    } finally {
      lock.unlock();
    }
    passes.ended(unit, this, held);
    if (left != null) {
      left.close();
    }
  }
}
