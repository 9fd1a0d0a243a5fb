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
 * The file of records. One record is written and synced before the next begins, so a power cut can
 * spoil the last record alone: an unsound end is cut off. Where a sound record follows an unsound
 * place, something that was acknowledged is damaged, and the file is refused.
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
   * What a log holds.
   *
   * @param header its beginning
   * @param records the sound ones, in order
   * @param tornBytes how many bytes at the end belong to no sound record
   */
  record Contents(FileHeader header, List<LogRecord> records, int tornBytes) {}

  /** Makes an empty log in place of what has this name. */
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

  /** Opens for appending behind the sound records and cuts off what follows them. */
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

  /** Why nothing can be appended until the log is opened anew, or null. */
  @Nullable String failure() {
    return failure;
  }

  /**
   * Appends one record durably. After a failed write the log is as before and may be tried again;
   * after a failed sync nobody knows what the device holds, so the log is closed to appends.
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
