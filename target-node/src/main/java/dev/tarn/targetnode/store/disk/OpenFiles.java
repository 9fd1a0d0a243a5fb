package dev.tarn.targetnode.store.disk;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keeps files open between reads, up to a bound. An evicted file is closed when its last reader
 * releases it.
 */
public final class OpenFiles {
  private final Disk disk;
  private final LongFunction<String> path;
  private final Wrapping wrapping;
  private final Cache<Long, OpenFile> files;

  /** Makes the shared file of one that was opened. */
  @FunctionalInterface
  public interface Wrapping {
    /** The file, held once. If this fails, the file is closed. */
    OpenFile of(DiskFile file, long number) throws IOException;
  }

  /**
   * Files of one kind.
   *
   * @param path gives the path of the file with a number
   * @param openMax how many are kept open, besides those in use
   */
  public OpenFiles(Disk disk, LongFunction<String> path, int openMax) {
    this(disk, path, openMax, (file, number) -> new OpenFile(file));
  }

  /** Files of one kind, of each of which something is known besides its bytes. */
  public OpenFiles(Disk disk, LongFunction<String> path, int openMax, Wrapping wrapping) {
    this.disk = disk;
    this.path = path;
    this.wrapping = wrapping;
    this.files =
        Caffeine.newBuilder()
            .maximumSize(openMax)
            .executor(Runnable::run)
            .<Long, OpenFile>removalListener((number, file, cause) -> {
              if (file != null) {
                file.release();
              }
            })
            .build();
  }

  /** The file if it is open already; the caller releases it. */
  public @Nullable OpenFile holdNow(long number) {
    OpenFile file = files.getIfPresent(number);
    return file != null && file.tryHold() ? file : null;
  }

  /**
   * The file, opened if necessary; the caller releases it.
   *
   * @throws java.nio.file.NoSuchFileException if it does not exist
   */
  public OpenFile hold(long number) throws IOException {
    OpenFile present = holdNow(number);
    if (present != null) {
      return present;
    }
    OpenFile opened = open(number);
    opened.tryHold();
    files.put(number, opened);
    if (!disk.exists(path.apply(number))) {
      files.asMap().remove(number, opened); // Its removal may have called forget already.
    }
    return opened;
  }

  private OpenFile open(long number) throws IOException {
    DiskFile file = disk.open(path.apply(number));
    boolean done = false;
    try {
      OpenFile opened = wrapping.of(file, number);
      done = true;
      return opened;
    } finally {
      if (!done) {
        file.close();
      }
    }
  }

  /** Keeps a file that is open already; it takes over one hold of the caller. */
  public void keep(long number, OpenFile file) {
    files.put(number, file);
  }

  /**
   * Evicts a file that has been removed or replaced. Call it after the removal: a reader could
   * otherwise open the file again.
   */
  public void forget(long number) {
    files.invalidate(number);
  }

  /** Evicts all files; those in use are closed when their last reader releases them. */
  public void forgetAll() {
    files.invalidateAll();
    files.cleanUp();
  }
}
