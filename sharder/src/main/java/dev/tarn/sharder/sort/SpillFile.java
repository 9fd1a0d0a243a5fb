package dev.tarn.sharder.sort;

import dev.tarn.shard.TemporaryFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Sorted runs in a temporary file. */
final class SpillFile implements AutoCloseable {
  private static final int WRITE_LENGTH = 1024 * 1024;
  private static final int READ_LENGTH_MIN = 64 * 1024;
  private static final int READ_LENGTH_MAX = 1024 * 1024;

  private final TemporaryFile file;
  private final List<Long> ends = new ArrayList<>();

  SpillFile(Path folder) throws IOException {
    file = TemporaryFile.open(folder, "what is sorted");
  }

  /** Returns the number of runs. */
  int runs() {
    return ends.size();
  }

  /** Writes another run. */
  void write(SortedRecords records) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(WRITE_LENGTH);
    while (records.next()) {
      if (buffer.remaining() < Integer.BYTES + records.length()) {
        drain(buffer);
      }
      buffer.putInt(records.length()).put(records.array(), records.offset(), records.length());
    }
    drain(buffer);
    ends.add(file.length());
  }

  private void drain(ByteBuffer buffer) throws IOException {
    file.write(buffer.flip());
    buffer.clear();
  }

  /**
   * Returns all runs as one.
   *
   * @param bytesMax the memory for reading, in bytes; each run gets at least 64 KiB
   */
  SortedRecords merged(long bytesMax) {
    int length = Math.clamp(bytesMax / ends.size(), READ_LENGTH_MIN, READ_LENGTH_MAX);
    List<SortedRun> runs = new ArrayList<>();
    long start = 0;
    for (long end : ends) {
      runs.add(new SortedRun(file, start, end, length));
      start = end;
    }
    return new MergedRuns(runs);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
