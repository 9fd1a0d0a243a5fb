package dev.tarn.cluster.control.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file of records. Each record is written and synced before the next one begins. A loss of
 * power can therefore damage only the last record, and a damaged end is cut off. If a valid record
 * follows a damaged place, an acknowledged record is damaged, and the file is refused.
 */
final class LogFile implements AutoCloseable {
  private final Path file;
  private final FileChannel channel;
  private long size;
  private @Nullable String failure;

  private LogFile(Path file, FileChannel channel, long size) {
    this.file = file;
    this.channel = channel;
    this.size = size;
  }

  /**
   * The content of a log.
   *
   * @param header its beginning
   * @param records the valid ones, in order
   * @param tornBytes how many bytes at the end belong to no valid record
   */
  record Contents(FileHeader header, List<LogRecord> records, int tornBytes) {}

  /** Creates an empty log, which replaces a file of this name. */
  static void create(Path file, long stateVersion) throws IOException {
    DurableFiles.replace(file, new FileHeader(FileHeader.Kind.LOG, stateVersion).encode());
  }

  static Contents read(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    FileHeader header = FileHeader.decode(file, FileHeader.Kind.LOG, bytes);
    List<LogRecord> records = new ArrayList<>();
    int offset = FileHeader.SIZE;
    while (offset < bytes.limit()) {
      LogRecord record = LogRecord.decode(bytes, offset);
      if (record == null) {
        refuseSoundRecordBehind(file, bytes, offset);
        break;
      }
      records.add(record);
      offset += record.size();
    }
    return new Contents(header, records, bytes.limit() - offset);
  }

  private static void refuseSoundRecordBehind(Path file, ByteBuffer bytes, int damaged)
      throws CorruptControlFileException {
    for (int offset = damaged + 1; offset < bytes.limit(); offset++) {
      if (LogRecord.decode(bytes, offset) != null) {
        throw new CorruptControlFileException(
            file,
            "is damaged at byte "
                + damaged
                + " while a sound record follows at byte "
                + offset
                + "; restore the file from a copy");
      }
    }
  }

  /** Opens the log for appending after the valid records, and cuts off what follows them. */
  static LogFile openBehind(Path file, Contents contents) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
    try {
      long size = channel.size() - contents.tornBytes();
      if (contents.tornBytes() > 0) {
        channel.truncate(size);
        channel.force(true);
      }
      return new LogFile(file, channel, size);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  long size() {
    return size;
  }

  /** Why nothing can be appended before a reopen, or null. */
  @Nullable String failure() {
    return failure;
  }

  /**
   * Appends one record durably. After a failed write, the log is as before and the append may be
   * repeated. After a failed sync, the content of the device is unknown, so the log takes no more
   * appends.
   */
  void append(LogRecord record) throws IOException {
    try {
      channel.position(size);
      DurableFiles.writeFully(channel, record.encode());
    } catch (IOException e) {
      cutBack(e);
      throw e;
    }
    try {
      channel.force(false);
    } catch (IOException e) {
      failure = "syncing " + file + " failed: " + e.getMessage();
      cutBack(e);
      throw e;
    }
    size += record.size();
  }

  private void cutBack(IOException cause) {
    try {
      channel.truncate(size);
      channel.force(true);
    } catch (IOException e) {
      cause.addSuppressed(e);
      failure = "removing an unfinished record from " + file + " failed: " + e.getMessage();
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
