package dev.tarn.client.internal.index;

import java.io.IOException;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.HashSet;
import java.util.Set;

/**
 * Files that are mapped, counted.
 *
 * <p>Nothing but the garbage collector undoes a mapping, when nobody can read it any more: that is
 * what makes it safe to let go of one that others may still read. But what lies outside of the heap
 * gives the collector no reason to run. So where more mappings are alive than are meant to be kept
 * twice over, it is asked to; at most once for as many new ones as are meant to be kept.
 */
final class MappedFiles {
  private final int keptMax;
  private final ReferenceQueue<ByteBuffer> undone = new ReferenceQueue<>();
  private final Set<Reference<? extends ByteBuffer>> alive = new HashSet<>();
  private int sinceCollection;

  /**
   * @param keptMax how many are meant to be kept
   */
  MappedFiles(int keptMax) {
    this.keptMax = keptMax;
  }

  /** Maps a file's first bytes for reading; they stay readable when it is closed or deleted. */
  ByteBuffer map(FileChannel file, int length) throws IOException {
    ByteBuffer bytes = file.map(FileChannel.MapMode.READ_ONLY, 0, length);
    if (isCollectionDue(bytes)) {
      System.gc();
    }
    return bytes;
  }

  private synchronized boolean isCollectionDue(ByteBuffer added) {
    for (Reference<?> gone = undone.poll(); gone != null; gone = undone.poll()) {
      alive.remove(gone);
    }
    alive.add(new PhantomReference<>(added, undone));
    sinceCollection++;
    if (alive.size() <= 2 * keptMax || sinceCollection < keptMax) {
      return false;
    }
    sinceCollection = 0;
    return true;
  }
}
