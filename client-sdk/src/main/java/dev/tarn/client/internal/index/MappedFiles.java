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
 * Maps files and counts the mappings.
 *
 * <p>Only the garbage collector removes a mapping, when nobody can read it any more. So a mapping
 * can be dropped while others still read it. But memory outside the heap does not make the
 * collector run. So if twice as many mappings exist as are meant to be kept, the collector is
 * called, at most once per so many new mappings.
 */
final class MappedFiles {
  private final int keptMax;
  private final ReferenceQueue<ByteBuffer> undone = new ReferenceQueue<>();
  private final Set<Reference<? extends ByteBuffer>> alive = new HashSet<>();
  private int sinceCollection;

  /**
   * Makes a counter.
   *
   * @param keptMax how many mappings are meant to be kept
   */
  MappedFiles(int keptMax) {
    this.keptMax = keptMax;
  }

  /**
   * Maps a file's first bytes for reading; they stay readable when the file is closed or deleted.
   */
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
