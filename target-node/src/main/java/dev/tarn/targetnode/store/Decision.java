package dev.tarn.targetnode.store;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.Failure;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.LogEntryCodec;
import java.nio.ByteBuffer;

/**
 * The result of a {@link Change}.
 *
 * @param <T> the result of a success
 */
public sealed interface Decision<T> {
  /**
   * Writes a record.
   *
   * @param encoded the entry as bytes; those of a copied record stay as they are, with optional
   *     fields of a newer release
   * @param payload the bytes of an inline object, otherwise empty; must not change until the commit
   *     has ended
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Write<T>(LogEntry entry, byte[] encoded, ByteBuffer payload, T result)
      implements Decision<T> {
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

    public Write {
      requireNonNull(entry, "entry is null");
      requireNonNull(encoded, "encoded is null");
      requireNonNull(payload, "payload is null");
      requireNonNull(result, "result is null");
    }

    /** Writes a new record. */
    public Write(LogEntry entry, ByteBuffer payload, T result) {
      this(entry, LogEntryCodec.encode(entry), payload, result);
    }

    /** Writes a new record without a payload. */
    public Write(LogEntry entry, T result) {
      this(entry, EMPTY, result);
    }
  }

  /** Succeeds without writing anything. */
  record Nothing<T>(T result) implements Decision<T> {
    public Nothing {
      requireNonNull(result, "result is null");
    }
  }

  /**
   * Removes an entry from the index without a record: a tombstone or the mark of an ended upload
   * that cancels nothing any more, or a cached object whose segment is being freed.
   */
  record Forget<T>(LogEntry entry, T result) implements Decision<T> {
    public Forget {
      requireNonNull(entry, "entry is null");
      requireNonNull(result, "result is null");
    }
  }

  record Refuse<T>(Failure failure) implements Decision<T> {
    public Refuse {
      requireNonNull(failure, "failure is null");
    }
  }
}
