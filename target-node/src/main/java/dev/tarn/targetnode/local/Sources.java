package dev.tarn.targetnode.local;

import dev.tarn.cluster.checksum.BodyDigests;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.targetnode.store.CommitView;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.extent.ExtentWriter;
import dev.tarn.targetnode.store.index.IndexEntry;
import dev.tarn.targetnode.store.memory.DirectBuffers;
import dev.tarn.targetnode.store.read.PieceRange;
import dev.tarn.targetnode.store.read.PieceSource;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Piece;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads objects that are copied or written again; blocks. */
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

  /** The source of a copy, if its preconditions allow the copy. */
  Outcome<Source> find(DiskStore store, CopySource source) throws IOException {
    ObjectName name = new ObjectName(source.scope().bucket(), source.key());
    Outcome<Source> found = find(store, name, source.version());
    if (found instanceof Outcome.Failed<Source> failed) {
      return Outcome.failed(CopySource.refusal(failed.failure()));
    }
    return found.then(read ->
        source
            .preconditions()
            .refuseCopyFrom(read.object().metadata())
            .map(Outcome::<Source>failed)
            .orElseGet(() -> Outcome.success(read)));
  }

  /** An object and its inline bytes. */
  Outcome<Source> find(DiskStore store, ObjectName name, Optional<String> version)
      throws IOException {
    IndexEntry entry = LocalReads.lookUp(store, name, version);
    Outcome<ObjectRecord> found = LocalReads.find(entry, version);
    if (entry == null || found instanceof Outcome.Failed<ObjectRecord>) {
      return found.then(object -> Outcome.failed(new Failure.NoSuchKey()));
    }
    ObjectRecord object = ((LogEntry.ObjectStored) entry.entry()).object();
    ByteBuffer payload = ByteBuffer.allocate(0);
    if (object.isInline()) {
      payload = ByteBuffer.allocate(entry.location().payloadLength());
      store.log().readPayload(entry.location(), payload);
    }
    return Outcome.success(new Source(store, object, payload));
  }

  /** Receives bytes that are valid only until it returns. */
  @FunctionalInterface
  interface Receiver {
    void take(ByteBuffer bytes) throws IOException;
  }

  /** Passes a range of the object's bytes to the receiver, in order. */
  void read(Source source, long offset, long length, Receiver receiver) throws IOException {
    if (source.object().isInline()) {
      receiver.take(source.payload().slice((int) offset, (int) length));
      return;
    }
    List<Piece> pieces = PieceRange.cut(source.object().pieces(), offset, length);
    try (PieceSource bytes = PieceSource.open(source.store(), pieces, false, buffers)) {
      ByteBuffer next = bytes.next();
      while (next.hasRemaining()) {
        receiver.take(next);
        next = bytes.next();
      }
    }
  }

  /**
   * Writes a range of the object's bytes into a new extent of a disk.
   *
   * @param digests is updated with the bytes
   */
  ExtentWriter write(
      Source source,
      long offset,
      long length,
      DiskStore to,
      Durability durability,
      BodyDigests digests)
      throws IOException {
    ExtentWriter writer = to.createExtent();
    boolean done = false;
    try {
      read(
          source,
          offset,
          length,
          bytes -> {
            digests.update(bytes);
            writer.write(bytes);
          });
      writer.finish(durability == Durability.DEVICE);
      done = true;
      return writer;
    } finally {
      if (!done) {
        writer.abandon();
      }
    }
  }

  /** The MD5 and these checksums of a range of the object's bytes. */
  BodyDigests.Computed digest(
      Source source, long offset, long length, Set<ChecksumAlgorithm> algorithms)
      throws IOException {
    BodyDigests digests = new BodyDigests(true, algorithms);
    read(source, offset, length, digests::update);
    return digests.finish();
  }
}
