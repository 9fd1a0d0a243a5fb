package dev.tarn.sharder.source;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.name.MemberNames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One walk through a directory tree by several threads.
 *
 * <p>A thread that reads a directory puts batches of its names into a bounded queue. If the queue
 * is full, the thread looks at the batch itself. A large directory's names are therefore never all
 * in memory.
 */
final class DirectoryListing {
  private static final int THREADS = 2;
  private static final int BATCH = 256;
  private static final int WAITING_MAX = 64;

  /**
   * A directory of the walk, with its parents: gives the names below it, and detects loops of
   * links.
   */
  private record Folder(Path path, @Nullable Folder above, Object key) {
    boolean isWithin(Object other) {
      for (Folder folder = this; folder != null; folder = folder.above) {
        if (folder.key.equals(other)) {
          return true;
        }
      }
      return false;
    }
  }

  /** Paths in one folder to look at; without paths, the folder itself is still to be read. */
  private record Work(Folder folder, List<Path> paths) {}

  private final boolean takesHidden;
  private final ListingFaults faults;
  private final LeftOut leftOut;
  private final Consumer<SourceFile> action;
  private final int prefixLength;
  private final int rawPrefixLength;
  private final Deque<Work> waiting = new ArrayDeque<>();
  private int busy;
  private boolean failed;

  private DirectoryListing(
      Path root,
      boolean takesHidden,
      ListingFaults faults,
      LeftOut leftOut,
      Consumer<SourceFile> action) {
    this.leftOut = leftOut;
    this.takesHidden = takesHidden;
    this.faults = faults;
    this.action = action;
    prefixLength = root.resolve("x").toString().length() - 1;
    rawPrefixLength = root.toUri().getRawPath().length();
  }

  /** Lists all regular files below a directory; follows links. See {@link DirectorySource#list}. */
  static void list(
      Path root,
      boolean takesHidden,
      ListingFaults faults,
      LeftOut leftOut,
      Consumer<SourceFile> action)
      throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(root, BasicFileAttributes.class);
    DirectoryListing listing = new DirectoryListing(root, takesHidden, faults, leftOut, action);
    listing.leave(new Work(new Folder(root, null, key(root, attributes)), List.of()));
    listing.run();
  }

  private static Object key(Path path, BasicFileAttributes attributes) throws IOException {
    return attributes.fileKey() == null ? path.toRealPath() : attributes.fileKey();
  }

  private void run() throws IOException {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS - 1)) {
      List<Future<?>> others = new ArrayList<>();
      for (int i = 1; i < THREADS; i++) {
        others.add(
            threads.submit(() -> {
              work();
              return null;
            }));
      }
      work();
      for (Future<?> other : others) {
        other.get();
      }
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException failure -> throw failure;
        case Error failure -> throw failure;
        case null, default -> throw new IllegalStateException(e.getCause());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while listing", e);
    }
  }

  private void work() throws IOException {
    boolean done = false;
    try {
      for (Work next; (next = take()) != null; ) {
        if (next.paths.isEmpty()) {
          read(next.folder);
        } else {
          look(next);
        }
        end();
      }
      done = true;
    } finally {
      if (!done) {
        fail();
      }
    }
  }

  /**
   * Takes the latest work, so that little work waits. Waits for more; returns null when all is
   * done.
   */
  private synchronized @Nullable Work take() throws IOException {
    try {
      while (waiting.isEmpty() && busy > 0 && !failed) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while listing", e);
    }
    if (failed || waiting.isEmpty()) {
      return null;
    }
    busy++;
    return waiting.removeLast();
  }

  private synchronized void end() {
    busy--;
    if (busy == 0) {
      notifyAll();
    }
  }

  private synchronized void fail() {
    failed = true;
    notifyAll();
  }

  private synchronized void leave(Work work) {
    waiting.addLast(work);
    notifyAll();
  }

  private synchronized boolean isRoom() {
    return waiting.size() < WAITING_MAX;
  }

  private void read(Folder folder) throws IOException {
    List<Path> batch = new ArrayList<>(BATCH);
    boolean opened = false;
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder.path)) {
      opened = true;
      for (Iterator<Path> next = paths.iterator(); hasNext(folder, next); ) {
        batch.add(next.next());
        if (batch.size() == BATCH) {
          pass(new Work(folder, batch));
          batch = new ArrayList<>(BATCH);
        }
      }
    } catch (IOException e) {
      if (opened) {
        throw e;
      }
      skip(folder, e);
    }
    if (!batch.isEmpty()) {
      look(new Work(folder, batch));
    }
  }

  private boolean hasNext(Folder folder, Iterator<Path> paths) throws IOException {
    try {
      return paths.hasNext();
    } catch (DirectoryIteratorException e) {
      skip(folder, requireNonNull(e.getCause(), "it wraps what the file system said"));
      return false;
    }
  }

  /**
   * Skips a folder; a failure at the root always ends the listing, because then nothing can be
   * packed.
   */
  private void skip(Folder folder, IOException failure) throws IOException {
    if (folder.above == null) {
      throw failure;
    }
    skip(folder.path, failure);
  }

  private void skip(Path path, IOException failure) throws IOException {
    faults.skip(name(path), "", SourceFailures.naming(path.toString(), failure));
  }

  private void pass(Work batch) throws IOException {
    if (isRoom()) {
      leave(batch);
    } else {
      look(batch);
    }
  }

  private void look(Work batch) throws IOException {
    List<SourceFile> files = new ArrayList<>(batch.paths.size());
    for (Path path : batch.paths) {
      if (!takesHidden && RelativeNames.isHidden(String.valueOf(path.getFileName()))) {
        files.add(SourceFile.named(name(path), 0, 0));
        continue;
      }
      BasicFileAttributes attributes = attributes(path);
      if (attributes == null) {
        continue;
      }
      if (attributes.isDirectory()) {
        enter(batch.folder, path, attributes);
      } else if (attributes.isRegularFile()) {
        long stamp = Stamps.ofTime(attributes.lastModifiedTime());
        files.add(SourceFile.named(name(path), attributes.size(), stamp));
      } else {
        leftOut.add(LeftOut.Kind.SPECIAL, name(path));
      }
    }
    synchronized (action) {
      files.forEach(action);
    }
  }

  private void enter(Folder above, Path path, BasicFileAttributes attributes) throws IOException {
    Object key = key(path, attributes);
    if (above.isWithin(key)) {
      faults.skip(
          name(path),
          "",
          new FileSystemException(
              path.toString(), null, "a symbolic link to a folder that holds it: a loop"));
      return;
    }
    Folder folder = new Folder(path, above, key);
    if (isRoom()) {
      leave(new Work(folder, List.of()));
    } else {
      read(folder);
    }
  }

  /**
   * Returns null for files that were deleted after their names were read, and for skipped files.
   */
  private @Nullable BasicFileAttributes attributes(Path path) throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class);
    } catch (AccessDeniedException e) {
      skip(path, e);
    } catch (IOException e) {
      if (Files.isSymbolicLink(path)) {
        faults.skip(
            name(path),
            "",
            new NoSuchFileException(path.toString(), null, "a symbolic link that leads nowhere"));
      } else if (!(e instanceof NoSuchFileException)) {
        skip(path, e);
      }
    }
    return null;
  }

  private String name(Path path) {
    String name = path.toString().substring(prefixLength);
    return LocalPaths.isAscii(name) ? name : rawName(path);
  }

  /** Returns the name's bytes independent of the locale: a URI encodes them byte by byte. */
  private String rawName(Path path) {
    String raw = requireNonNull(path.toUri().getRawPath(), "a file's URI has a path");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = rawPrefixLength; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        bytes.write(Integer.parseInt(raw, i + 1, i + 3, 16));
        i += 2;
      } else {
        bytes.write(c);
      }
    }
    return MemberNames.decode(bytes.toByteArray());
  }
}
