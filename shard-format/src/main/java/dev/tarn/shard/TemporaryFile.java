package dev.tarn.shard;

import static java.util.Objects.requireNonNull;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that is appended to, and read with random access. Its name is deleted when it is opened,
 * so nothing remains when the process ends in any way. Reading is thread-safe.
 */
public final class TemporaryFile implements WritableByteChannel {
  /** The JVM's folder for temporary files. */
  public static final Path FOLDER = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));

  private final Path folder;
  private final String content;
  private final FileChannel channel;

  private TemporaryFile(Path folder, String content, FileChannel channel) {
    this.folder = requireNonNull(folder, "folder is null");
    this.content = requireNonNull(content, "content is null");
    this.channel = channel;
  }

  /**
   * Creates a file in {@link #FOLDER}.
   *
   * @param content its content, for messages
   */
  public static TemporaryFile open(String content) throws IOException {
    return open(FOLDER, content);
  }

  /**
   * Creates a file.
   *
   * @param content its content, for messages
   * @throws TemporaryFileException naming the folder, if no file can be created there
   */
  public static TemporaryFile open(Path folder, String content) throws IOException {
    try {
      Path file = Files.createTempFile(folder, "tarn-", ".tmp");
      try {
        return new TemporaryFile(
            folder,
            content,
            FileChannel.open(
                file,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE));
      } catch (IOException e) {
        Files.deleteIfExists(file);
        throw e;
      }
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      throw failure(folder, content, e);
    }
  }

  private static TemporaryFileException failure(Path folder, String content, IOException e) {
    String reason =
        !Files.isDirectory(folder)
            ? "it is not a directory"
            : e instanceof AccessDeniedException ? "it may not be written" : e.getMessage();
    return new TemporaryFileException(
        "%s: cannot store %s there: %s".formatted(folder, content, reason), e);
  }

  /**
   * Appends all bytes.
   *
   * @throws TemporaryFileException naming the folder, if writing fails, for example because the
   *     disk is full
   */
  @Override
  public int write(ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      throw failure(folder, content, e);
    }
    return length;
  }

  /** Returns the length in bytes. */
  public long length() throws IOException {
    return channel.size();
  }

  /** Fills the buffer from an offset in the file. */
  public void read(long offset, ByteBuffer target) throws IOException {
    long position = offset;
    while (target.hasRemaining()) {
      int read = channel.read(target, position);
      if (read < 0) {
        throw new EOFException(folder + ": the temporary file of " + content + " became shorter");
      }
      position += read;
    }
  }

  /** Discards what was written. */
  public void clear() throws IOException {
    channel.truncate(0);
  }

  /** The channel of the file, to map its bytes. */
  public FileChannel channel() {
    return channel;
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
