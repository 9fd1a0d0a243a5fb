package dev.tarn.sharder.source.list;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.sharder.source.ListingFaults;
import dev.tarn.sharder.source.SourceFile;
import dev.tarn.sharder.source.StoredFiles;
import dev.tarn.sharder.source.list.ListedRow.Named;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the files that rows name, many in parallel, because each lookup is a request to a
 * server. Passes them on in the order of the rows.
 */
final class Lookups implements AutoCloseable {
  private static final int UNDER_WAY_MAX = 64;
  private static final int UNDER_WAY_BYTES_MAX = 16 * 1024 * 1024;

  /** A row, and the lookup of its file if it names one. */
  private record Pending(ListedRow row, @Nullable Future<SourceFile> file) {}

  private final String list;
  private final Storage storage;
  private final ListingFaults faults;
  private final Consumer<SourceFile> action;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Deque<Pending> pending = new ArrayDeque<>();
  private long pendingBytes;

  /**
   * @param list its name in messages
   */
  Lookups(String list, Storage storage, ListingFaults faults, Consumer<SourceFile> action) {
    this.list = requireNonNull(list, "list is null");
    this.storage = requireNonNull(storage, "storage is null");
    this.faults = requireNonNull(faults, "faults is null");
    this.action = requireNonNull(action, "action is null");
  }

  void add(ListedRow row) throws IOException {
    while (pending.size() == UNDER_WAY_MAX
        || (!pending.isEmpty() && pendingBytes + row.contentBytes() > UNDER_WAY_BYTES_MAX)) {
      tellFirst();
    }
    pendingBytes += row.contentBytes();
    Named file = row.file();
    pending.addLast(
        new Pending(row, file == null ? null : threads.submit(() -> lookUp(file, row.line()))));
  }

  /** Waits for the open lookups. */
  void finish() throws IOException {
    while (!pending.isEmpty()) {
      tellFirst();
    }
  }

  private void tellFirst() throws IOException {
    Pending first = pending.removeFirst();
    pendingBytes -= first.row.contentBytes();
    tell(first);
  }

  private void tell(Pending next) throws IOException {
    try {
      if (next.file != null) {
        action.accept(next.file.get());
      }
      next.row.contents().forEach(action);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException failure -> skip(next.row, failure);
        case Error failure -> throw failure;
        case null, default -> throw new IllegalStateException(e.getCause());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while listing", e);
    }
  }

  /** Skips the whole row: without its file it is not a sample. */
  private void skip(ListedRow row, IOException failure) throws IOException {
    IOException placed =
        new IOException(
            "%s line %d: %s".formatted(list, row.line(), failure.getMessage()), failure);
    Named file = requireNonNull(row.file(), "only files are looked up");
    faults.skip(file.path(), ListedNames.key(file.name()), placed);
  }

  private SourceFile lookUp(Named file, long line) throws IOException {
    StoredObject object = stat(file.url());
    return new SourceFile(
        file.name(),
        file.path(),
        object.size(),
        StoredFiles.stamp(object),
        null,
        file.given(),
        line);
  }

  /**
   * Returns the metadata of a file. A URL presigned for GET does not allow HEAD: in this case the
   * first byte is read.
   */
  private StoredObject stat(StorageUrl url) throws IOException {
    try {
      return storage.stat(url);
    } catch (StorageException e) {
      boolean web =
          url.scheme() == StorageUrl.Scheme.HTTP || url.scheme() == StorageUrl.Scheme.HTTPS;
      boolean refused =
          e.kind() == Kind.DENIED || e.kind() == Kind.INVALID || e.kind() == Kind.FAILED;
      if (!web || !refused) {
        throw e;
      }
      try (ObjectStream first = storage.open(url, 0, 1, null)) {
        return first.object();
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    threads.close();
  }
}
