package dev.tarn.targetnode.local;

import dev.tarn.cluster.checksum.BodyDigests;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.targetnode.store.CommitView;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.extent.ExtentWriter;
import dev.tarn.targetnode.store.read.FileSlice;
import dev.tarn.targetnode.store.read.PieceSource;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.room.Room;
import dev.tarn.transport.body.DirectBuffers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Reads objects that are copied or written again; blocks. All bytes are verified, because the copy
 * gets checksums of its own.
 */
final class Sources {
  private final DirectBuffers buffers;

  Sources(DirectBuffers buffers) {
    this.buffers = buffers;
  }

  /**
   * An object as it was read.
   *
   * @param payload the bytes of an inline object; empty for others
   */
  record Source(DiskStore store, ObjectRecord object, ByteBuffer payload) {
    /** Whether the commit still sees the version that was read. */
    boolean isUnchanged(CommitView view) throws IOException {
      ObjectMetadata metadata = object.metadata();
      ObjectRecord now = view.version(metadata.name(), metadata.version());
      return now != null && now.revision().equals(object.revision());
    }
  }

  /** Uses an object that was read. */
  @FunctionalInterface
  interface Use<T> {
    Outcome<T> of(Source source) throws IOException;
  }

  /** Reads and uses the source of a copy, if its preconditions allow the copy. */
  <T> Outcome<T> using(DiskStore store, CopySource source, Use<T> use) throws IOException {
    Outcome<T> used =
        using(
            store,
            source.name(),
            source.version(),
            read -> {
              Optional<Failure> refused =
                  source.preconditions().refuseCopyFrom(read.object().metadata());
              return refused.isPresent() ? Outcome.failed(refused.orElseThrow()) : use.of(read);
            });
    return used instanceof Outcome.Failed<T> failed
        ? Outcome.failed(CopySource.refusal(failed.failure()))
        : used;
  }

  /**
   * Reads and uses an object and its inline bytes. Repeats both if compaction or an overwrite
   * removes the file that holds the bytes.
   */
  <T> Outcome<T> using(DiskStore store, ObjectName name, Optional<String> version, Use<T> use)
      throws IOException {
    return LocalReads.using(
        store,
        name,
        version,
        (entry, object) -> {
          ByteBuffer payload = ByteBuffer.allocate(0);
          if (object.isInline()) {
            payload = ByteBuffer.allocate(entry.location().payloadLength());
            store.log().readPayload(entry.location(), payload);
          }
          return use.of(new Source(store, object, payload));
        });
  }

  /** Receives bytes that are valid only until it returns; a failure ends the read. */
  @FunctionalInterface
  private interface Receiver {
    Outcome<Boolean> take(ByteBuffer bytes);
  }

  /** Passes a range of the object's bytes to the receiver, in order; each block is verified. */
  private Outcome<Boolean> read(Source source, long offset, long length, Receiver receiver)
      throws IOException {
    if (source.object().isInline()) {
      return receiver.take(source.payload().slice((int) offset, (int) length));
    }
    List<FileSlice> slices = FileSlice.of(source.object(), offset, length);
    try (PieceSource bytes = PieceSource.open(source.store(), slices, true, buffers)) {
      ByteBuffer next = bytes.next();
      while (next.hasRemaining()) {
        Outcome<Boolean> taken = receiver.take(next);
        if (taken instanceof Outcome.Failed) {
          return taken;
        }
        next = bytes.next();
      }
      return Outcome.success(true);
    }
  }

  /** Fails if a disk has no room for the few bytes of a record. */
  static Outcome<Boolean> room(DiskStore to, long bytes) {
    return to.attempt(() -> to.promise(bytes))
        .map(promise -> {
          promise.close();
          return true;
        });
  }

  /**
   * Writes a range of the object's bytes into a new extent of a disk.
   *
   * @param digests is updated with the bytes
   */
  Outcome<ExtentWriter> write(
      Source source,
      long offset,
      long length,
      DiskStore to,
      Durability durability,
      BodyDigests digests)
      throws IOException {
    Outcome<Room.Promise> room = to.attempt(() -> to.promise(length));
    return switch (room) {
      case Outcome.Failed<Room.Promise>(Failure full) -> Outcome.failed(full);
      case Outcome.Success<Room.Promise>(Room.Promise promise) -> {
        try (promise) {
          yield write(source, offset, length, to, promise, durability, digests);
        }
      }
    };
  }

  private Outcome<ExtentWriter> write(
      Source source,
      long offset,
      long length,
      DiskStore to,
      Room.Promise room,
      Durability durability,
      BodyDigests digests)
      throws IOException {
    Outcome<ExtentWriter> begun = to.attempt(() -> Outcome.success(to.createExtent()));
    if (!(begun instanceof Outcome.Success<ExtentWriter>(ExtentWriter writer))) {
      return begun;
    }
    boolean done = false;
    try {
      Outcome<ExtentWriter> written =
          read(source, offset, length, bytes -> append(bytes, to, room, writer, digests))
              .then(all ->
                  to.attempt(() -> {
                    writer.finish(durability == Durability.DEVICE);
                    return Outcome.success(writer);
                  }));
      done = written instanceof Outcome.Success;
      return written;
    } finally {
      if (!done) {
        writer.abandon();
      }
    }
  }

  private static Outcome<Boolean> append(
      ByteBuffer bytes, DiskStore to, Room.Promise room, ExtentWriter writer, BodyDigests digests) {
    digests.update(bytes);
    int count = bytes.remaining();
    return to.attempt(() -> {
      to.makeRoom(count);
      writer.write(bytes);
      room.written(count);
      return Outcome.success(true);
    });
  }

  /** Updates the digests with a range of the object's bytes. */
  void digest(Source source, long offset, long length, BodyDigests digests) throws IOException {
    read(
        source,
        offset,
        length,
        bytes -> {
          digests.update(bytes);
          return Outcome.success(true);
        });
  }
}
