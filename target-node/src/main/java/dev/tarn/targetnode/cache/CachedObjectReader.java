package dev.tarn.targetnode.cache;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.Origin;
import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.backend.Backend.BackendRead;
import dev.tarn.targetnode.backend.BackendException;
import dev.tarn.targetnode.cache.UnitFetch.Progress;
import dev.tarn.targetnode.cache.UnitFetch.State;
import dev.tarn.targetnode.cache.UnitFetches.Source;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.extent.Extents;
import dev.tarn.targetnode.store.read.FileSlice;
import dev.tarn.targetnode.store.read.PieceSource;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Unit;
import dev.tarn.transport.body.ChunkSource;
import dev.tarn.transport.body.DirectBuffers;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a range of a cached object. Each unit comes from the disk, from a fetch in progress, or, if
 * it cannot be stored, directly from the backend. If the bucket requires it, units on the disk are
 * verified, and a damaged unit is read from the backend instead. One thread at a time; blocks.
 */
final class CachedObjectReader implements ChunkSource {
  private static final Logger LOG = LoggerFactory.getLogger(CachedObjectReader.class);

  private final ObjectRecord object;
  private final Backend backend;
  private final UnitFetches fetches;
  private final CacheMeters meters;
  private final DiskStore disk;
  private final Verifying verifying;
  private final UnitsAhead ahead;
  private final boolean isNew;
  private final long end;
  private long position;
  private @Nullable Unit unit;
  private @Nullable OpenFile file;
  private @Nullable PieceSource verified;
  private ByteBuffer confirmed = ByteBuffer.allocate(0);
  private @Nullable UnitFetch following;

  /** Whether the unit's bytes come from the backend and are not stored. */
  private boolean isPassing;

  /** Whether the unit was on the disk before this read. */
  private boolean isHit;

  private @Nullable SharedPass shared;
  private @Nullable BackendRead passing;

  /**
   * How units on the disk are read.
   *
   * @param always whether to verify the checksums of every read
   * @param buffers to read blocks into
   */
  record Verifying(boolean always, DirectBuffers buffers) {}

  /**
   * Reads of a range.
   *
   * @param isNew whether this read found the object at the backend, and has begun to fetch it
   */
  CachedObjectReader(
      ObjectRecord object,
      Backend backend,
      UnitFetches fetches,
      CacheMeters meters,
      DiskStore disk,
      Verifying verifying,
      boolean isNew,
      long offset,
      long length) {
    this.object = object;
    this.backend = backend;
    this.fetches = fetches;
    this.meters = meters;
    this.disk = disk;
    this.verifying = verifying;
    this.isNew = isNew;
    this.position = offset;
    this.end = offset + length;
    this.ahead = new UnitsAhead(fetches, backend, object, end);
  }

  /**
   * Obtains the first bytes: opens their unit, or waits until the backend has sent some. So a
   * failure of the backend is known before an answer begins. Throws a {@link
   * dev.tarn.targetnode.backend.BackendException} if the backend fails.
   */
  void begin() throws IOException {
    if (position == end) {
      return;
    }
    Unit first = enter();
    if (following != null) {
      awaitFetched(first, following);
    }
  }

  @Override
  public boolean read(ByteBuffer destination) throws IOException {
    try {
      return readSome(destination);
    } catch (IOException e) {
      disk.health().noteTransfer(e); // The cause may be the backend's connection.
      throw e;
    }
  }

  private boolean readSome(ByteBuffer destination) throws IOException {
    if (position == end) {
      return false;
    }
    Unit current = unit;
    if (current == null || current.number() != Unit.numberAt(position)) {
      current = enter();
    }
    long inUnit = position - current.begin();
    long wanted = Math.min(destination.remaining(), end(current) - position);
    if (following != null) {
      wanted = Math.min(wanted, awaitFetched(current, following));
    }
    if (verified != null) {
      confirm(current, verified);
      wanted = Math.min(wanted, verified == null ? wanted : confirmed.remaining());
    }
    destination.limit(destination.position() + (int) wanted);
    if (isPassing) {
      pass(current, destination);
    } else if (verified != null) {
      destination.put(confirmed.slice(confirmed.position(), (int) wanted));
      confirmed.position(confirmed.position() + (int) wanted);
      served(wanted);
    } else {
      OpenFile open = requireNonNull(file, "no file is open");
      int before = destination.position();
      open.file().read(destination, Extents.DATA_OFFSET + inUnit);
      served(destination.position() - before);
    }
    return true;
  }

  /** Bytes of a unit on the disk have been read. */
  private void served(long count) {
    if (isHit) {
      meters.countHit(object.metadata().name().bucket(), count);
    }
    position += count;
  }

  /** The offset behind the last byte of the unit that is read. */
  private long end(Unit current) {
    return Math.min(end, current.begin() + current.length());
  }

  private Unit enter() throws IOException {
    leave();
    Unit next = object.unit(Unit.numberAt(position));
    boolean isFirst = unit == null;
    unit = next;
    Source source = fetches.findOrFetch(backend, object, position, ahead.isCounted(next.number()));
    switch (source) {
      case Source.Present present when verifying.always() -> {
        present.file().release();
        openVerified(next);
      }
      case Source.Present present -> file = present.file();
      case Source.Underway underway -> following = underway.fetch();
      case Source.Elsewhere elsewhere -> passThrough(next);
    }
    boolean wasExpected = ahead.entered(next.number());
    isHit = source instanceof Source.Present && !wasExpected && !(isNew && isFirst);
    return next;
  }

  /** Opens the part of the unit that this read needs. */
  private void openVerified(Unit current) throws IOException {
    FileSlice rest = FileSlice.ofUnit(current, position, end);
    try {
      verified = PieceSource.open(disk, List.of(rest), true, verifying.buffers());
      confirmed = ByteBuffer.allocate(0);
    } catch (UnreadableFormatException | EOFException e) {
      replaceDamaged(current, e);
    } catch (NoSuchFileException e) {
      passThrough(current);
    }
  }

  /** Loads verified bytes, or switches to the backend's bytes if the unit is damaged. */
  private void confirm(Unit current, PieceSource source) throws IOException {
    if (confirmed.hasRemaining()) {
      return;
    }
    try {
      confirmed = source.next();
    } catch (UnreadableFormatException | EOFException e) {
      replaceDamaged(current, e);
    }
  }

  private void replaceDamaged(Unit current, IOException damage) throws IOException {
    LOG.warn("The cached {} is damaged: {}; it is fetched again", current, damage.getMessage());
    disk.units().remove(current);
    passThrough(current);
  }

  /**
   * The number of bytes fetched from the position on, at least one; {@link Long#MAX_VALUE} if the
   * unit is now passed through.
   */
  private long awaitFetched(Unit current, UnitFetch fetch) throws IOException {
    long inUnit = position - current.begin();
    Progress progress = fetch.await(inUnit);
    if (file != null && progress.availableBytes() > 0) {
      return progress.availableBytes(); // Even if the fetch has failed since.
    }
    if (progress.state() == State.FAILED && progress.availableBytes() > 0) {
      passThrough(current); // The failure is of bytes that this reader does not need yet.
      return Long.MAX_VALUE;
    }
    if (progress.state() == State.FAILED) {
      if (progress.cause() instanceof BackendException failure) {
        throw failure;
      }
      throw new IOException("Backend failed", progress.cause());
    }
    if (progress.state() == State.NOT_STORED) {
      passThrough(current);
      return Long.MAX_VALUE;
    }
    if (file == null) {
      file = hold(current, progress);
    }
    if (file == null) {
      passThrough(current);
      return Long.MAX_VALUE;
    }
    return progress.availableBytes();
  }

  /** The file of a fetch; null if it is gone. */
  private @Nullable OpenFile hold(Unit current, Progress progress) {
    OpenFile fetched = progress.file();
    if (fetched != null && fetched.tryHold()) {
      return fetched;
    }
    return fetches.hold(current).orElse(null);
  }

  /** Reads the rest of the unit from the backend, with other readers who do so now. */
  private void passThrough(Unit current) throws IOException {
    leave();
    meters.unitsPassed.increment();
    joinPass(current);
  }

  private void joinPass(Unit current) throws IOException {
    isPassing = true;
    shared = fetches.passes().join(backend, object, current, position, end(current)).orElse(null);
    if (shared == null || !hasFirstByte(shared)) {
      passAlone(current);
    }
  }

  private boolean hasFirstByte(SharedPass pass) throws IOException {
    try {
      return pass.await(position) != SharedPass.BEHIND;
    } catch (BackendException | TruncatedUnitException e) {
      if (!pass.wasOpenedAhead()) {
        throw e;
      }
      return false; // That request was older than this reader, which has all its attempts.
    }
  }

  private void passAlone(Unit current) {
    leave();
    isPassing = true;
    ObjectMetadata metadata = object.metadata();
    passing =
        backend.read(
            metadata.name().key(),
            Optional.ofNullable(metadata.origin()).map(Origin::version),
            position,
            end(current) - 1,
            Optional.ofNullable(metadata.origin()).map(Origin::etag));
  }

  private void pass(Unit current, ByteBuffer destination) throws IOException {
    if (shared == null && passing == null) {
      joinPass(current);
    }
    if (shared != null) {
      int count = shared.read(position, destination);
      if (count != SharedPass.BEHIND) {
        position += count;
        return;
      }
      passAlone(current);
    }
    int count = requireNonNull(passing, "no read is open").read(destination);
    if (count < 0) {
      throw new TruncatedUnitException(position % Unit.BYTES, Unit.BYTES, null);
    }
    meters.countFetched(object.metadata().name().bucket(), count);
    position += count;
  }

  private void leave() {
    following = null;
    isPassing = false;
    if (file != null) {
      file.release();
      file = null;
    }
    if (verified != null) {
      verified.close();
      verified = null;
    }
    leavePass();
  }

  private void leavePass() {
    if (shared != null) {
      shared.leave();
      shared = null;
    }
    if (passing != null) {
      passing.close();
      passing = null;
    }
  }

  @Override
  public void idle() {
    leavePass();
    ahead.close();
  }

  @Override
  public void close() {
    leave();
    ahead.close();
    position = end;
  }
}
