package dev.tarn.targetnode.cache;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.Origin;
import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.backend.Backend.BackendRead;
import dev.tarn.targetnode.cache.UnitFetch.Progress;
import dev.tarn.targetnode.cache.UnitFetch.State;
import dev.tarn.targetnode.cache.UnitFetches.Source;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.extent.Extents;
import dev.tarn.targetnode.store.record.Piece;
import dev.tarn.targetnode.store.record.StoredObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a range of a cached object from where each unit is: on the disk, on its way to it, or,
 * where there is no room, straight from the backend. One thread at a time; blocks.
 */
final class CachedObjectReader implements ChunkSource {
  private final StoredObject object;
  private final Backend backend;
  private final UnitFetches fetches;
  private final CacheFigures figures;
  private final DiskStore disk;
  private final long end;
  private long position;
  private int unit = -1;
  private @Nullable OpenFile file;
  private long fileOffset;
  private @Nullable UnitFetch following;
  private @Nullable BackendRead passing;

  CachedObjectReader(
      StoredObject object,
      Backend backend,
      UnitFetches fetches,
      CacheFigures figures,
      DiskStore disk,
      long offset,
      long length) {
    this.object = object;
    this.backend = backend;
    this.fetches = fetches;
    this.figures = figures;
    this.disk = disk;
    this.position = offset;
    this.end = offset + length;
  }

  @Override
  public boolean read(ByteBuffer destination) throws IOException {
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
    destination.limit(destination.position() + (int) wanted);
    if (passing != null) {
      pass(passing, destination);
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
    Piece known = object.pieces().get(next);
    Source source =
        known instanceof Piece.AbsentUnit
            ? fetches.find(backend, object, next)
            : new Source.Present(known);
    switch (source) {
      case Source.Present present -> open((Piece.ExtentRange) present.piece());
      case Source.Underway underway -> following = underway.fetch();
      case Source.Replaced replaced -> passThrough();
    }
  }

  private void open(Piece.ExtentRange piece) throws IOException {
    try {
      file = disk.extents().hold(piece.extent());
      fileOffset = piece.offset();
    } catch (NoSuchFileException e) {
      // Replaced and removed since it was looked up: the backend may still have that version.
      passThrough();
    }
  }

  /** How many bytes from the position on have been fetched; at least one, unless passing now. */
  private long awaitFetched(UnitFetch fetch) throws IOException {
    long inUnit = position - Units.begin(unit);
    Progress progress = fetch.await(inUnit);
    if (progress.state() == State.FAILED) {
      throw new IOException("the backend failed", progress.cause());
    }
    if (progress.state() == State.NO_ROOM) {
      passThrough();
      return Long.MAX_VALUE;
    }
    if (file == null) {
      open(new Piece.ExtentRange(progress.extent(), 0, progress.availableBytes()));
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
            Optional.of(metadata.etag()));
    figures.countPassedThrough();
  }

  private void pass(BackendRead read, ByteBuffer destination) throws IOException {
    int count = PassedBytes.read(read, destination);
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
