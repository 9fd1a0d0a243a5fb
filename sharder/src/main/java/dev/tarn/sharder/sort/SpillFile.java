package dev.tarn.sharder.sort;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Sorted runs in a temporary file. The file has no name any more as soon as it is open, so that
 * nothing is left of it when the process ends, however it ends.
 */
final class SpillFile implements AutoCloseable {
  private static final int WRITE_LENGTH = 1024 * 1024;
  private static final int READ_LENGTH_MIN = 64 * 1024;
  private static final int READ_LENGTH_MAX = 1024 * 1024;

  private final FileChannel channel;
  private final List<Long> ends = new ArrayList<>();

  SpillFile(Path folder) throws IOException {
    Path file = Files.createTempFile(folder, "tarn-sort-", ".tmp");
    channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    Files.delete(file);
  }

  /** How many runs it holds. */
  int runs() {
    return ends.size();
  }

  /** Writes one more run. */
  void write(SortedRecords records) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(WRITE_LENGTH);
    while (records.next()) {
      if (buffer.remaining() < Integer.BYTES + records.length()) {
        drain(buffer);
      }
      buffer.putInt(records.length()).put(records.array(), records.offset(), records.length());
    }
    drain(buffer);
    ends.add(channel.position());
  }

  private void drain(ByteBuffer buffer) throws IOException {
    buffer.flip();
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
    buffer.clear();
  }

  /**
   * All runs as one.
   *
   * @param bytesMax which reading may take, as long as each run gets a little
   */
  SortedRecords merged(long bytesMax) {
    int length = Math.clamp(bytesMax / ends.size(), READ_LENGTH_MIN, READ_LENGTH_MAX);
    List<Run> runs = new ArrayList<>();
    long start = 0;
    for (long end : ends) {
      runs.add(new Run(channel, start, end, length));
      start = end;
    }
    return new MergedRuns(runs);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
