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
import dev.tarn.targetnode.store.memory.DirectBuffers;
import dev.tarn.targetnode.store.read.PieceSource;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Piece;
import dev.tarn.transport.body.ChunkSource;
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
  private final CacheFigures figures;
  private final DiskStore disk;
  private final Verifying verifying;
  private final long end;
  private long position;
  private int unit = -1;
  private @Nullable OpenFile file;
  private @Nullable PieceSource verified;
  private ByteBuffer confirmed = ByteBuffer.allocate(0);
  private long fileOffset;
  private @Nullable UnitFetch following;
  private @Nullable BackendRead passing;

  /**
   * How units on the disk are read.
   *
   * @param always whether to verify the checksums of every read
   * @param buffers to read blocks into
   * @param damaged called if a unit is damaged
   */
  record Verifying(boolean always, DirectBuffers buffers, Runnable damaged) {}

  CachedObjectReader(
      ObjectRecord object,
      Backend backend,
      UnitFetches fetches,
      CacheFigures figures,
      DiskStore disk,
      Verifying verifying,
      long offset,
      long length) {
    this.object = object;
    this.backend = backend;
    this.fetches = fetches;
    this.figures = figures;
    this.disk = disk;
    this.verifying = verifying;
    this.position = offset;
    this.end = offset + length;
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
    enter(Units.unitOf(position));
    if (following != null) {
      awaitFetched(following);
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
    if (Units.unitOf(position) != unit) {
      enter(Units.unitOf(position));
    }
    long unitEnd = Math.min(end, Units.begin(unit) + Units.UNIT_BYTES);
    long wanted = Math.min(destination.remaining(), unitEnd - position);
    if (following != null) {
      wanted = Math.min(wanted, awaitFetched(following));
    }
    if (verified != null) {
      confirm(verified);
      wanted = Math.min(wanted, passing != null ? wanted : confirmed.remaining());
    }
    destination.limit(destination.position() + (int) wanted);
    if (passing != null) {
      pass(passing, destination);
    } else if (verified != null) {
      destination.put(confirmed.slice(confirmed.position(), (int) wanted));
      confirmed.position(confirmed.position() + (int) wanted);
      position += wanted;
    } else {
      OpenFile open = requireNonNull(file, "no file is open");
      long inUnit = position - Units.begin(unit);
      int before = destination.position();
      open.file().read(destination, Extents.DATA_OFFSET + fileOffset + inUnit);
      position += destination.position() - before;
    }
    return true;
  }

  private void enter(int next) throws IOException {
    leave();
    unit = next;
    Source source =
        object.pieces().get(next) instanceof Piece.ExtentRange known
            ? new Source.Present(known)
            : fetches.find(backend, object, next);
    switch (source) {
      case Source.Present present when verifying.always() -> openVerified(present.piece());
      case Source.Present present -> open(present.piece().extent(), present.piece().offset());
      case Source.Underway underway -> following = underway.fetch();
      case Source.Elsewhere elsewhere -> passThrough();
    }
  }

  private void open(long extent, long offset) throws IOException {
    try {
      file = disk.extents().hold(extent);
      fileOffset = offset;
    } catch (NoSuchFileException e) {
      // Replaced and removed since the look-up: the backend may still have that version.
      passThrough();
    }
  }

  /** Opens the part of the unit that this read needs. */
  private void openVerified(Piece.ExtentRange piece) throws IOException {
    long inUnit = position - Units.begin(unit);
    long length = Math.min(end - Units.begin(unit), piece.length()) - inUnit;
    Piece rest = piece.slice(inUnit, length);
    try {
      verified = PieceSource.open(disk, List.of(rest), true, verifying.buffers());
      confirmed = ByteBuffer.allocate(0);
    } catch (UnreadableFormatException | EOFException e) {
      replaceDamaged(e);
    } catch (NoSuchFileException e) {
      passThrough();
    }
  }

  /** Loads verified bytes, or switches to the backend's bytes if the unit is damaged. */
  private void confirm(PieceSource source) throws IOException {
    if (confirmed.hasRemaining()) {
      return;
    }
    try {
      confirmed = source.next();
    } catch (UnreadableFormatException | EOFException e) {
      replaceDamaged(e);
    }
  }

  private void replaceDamaged(IOException damage) {
    LOG.warn(
        "Cached copy of {} is damaged: {}; it is fetched again",
        object.metadata().name(),
        damage.getMessage());
    verifying.damaged().run();
    passThrough();
  }

  /**
   * The number of bytes fetched from the position on, at least one; {@link Long#MAX_VALUE} if the
   * unit is now passed through.
   */
  private long awaitFetched(UnitFetch fetch) throws IOException {
    long inUnit = position - Units.begin(unit);
    Progress progress = fetch.await(inUnit);
    if (progress.state() == State.FAILED) {
      if (progress.cause() instanceof BackendException failure) {
        throw failure;
      }
      throw new IOException("Backend failed", progress.cause());
    }
    if (progress.state() == State.NOT_STORED) {
      passThrough();
      return Long.MAX_VALUE;
    }
    if (file == null) {
      open(progress.extent(), progress.offset());
    }
    return passing != null ? Long.MAX_VALUE : progress.availableBytes() - inUnit;
  }

  private void passThrough() {
    leave();
    ObjectMetadata metadata = object.metadata();
    long unitEnd = Math.min(end, Units.begin(unit) + Units.UNIT_BYTES);
    passing =
        backend.read(
            metadata.name().key(),
            Optional.ofNullable(metadata.origin()).map(Origin::version),
            position,
            unitEnd - 1,
            Optional.ofNullable(metadata.origin()).map(Origin::etag));
    figures.countPassedThrough();
  }

  private void pass(BackendRead read, ByteBuffer destination) throws IOException {
    int count = read.read(destination);
    if (count < 0) {
      throw new TruncatedUnitException(position - Units.begin(unit), Units.UNIT_BYTES, null);
    }
    figures.countBytesFetched(count);
    position += count;
  }

  private void leave() {
    following = null;
    if (file != null) {
      file.release();
      file = null;
    }
    if (verified != null) {
      verified.close();
      verified = null;
    }
    if (passing != null) {
      passing.close();
      passing = null;
    }
  }

  @Override
  public void close() {
    leave();
    position = end;
  }
}
