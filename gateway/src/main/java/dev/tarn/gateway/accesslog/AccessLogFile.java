package dev.tarn.gateway.accesslog;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file to which lines are appended. After a failure, the file is opened again, so the old file
 * may have been moved away. If a line was cut short, the next append ends that line first.
 */
final class AccessLogFile implements AutoCloseable {
  private final Path path;
  private @Nullable FileChannel channel;
  private boolean lineCutShort;

  AccessLogFile(Path path) {
    this.path = path;
  }

  /** Opens the file, and creates it if it is missing. */
  FileChannel open() throws IOException {
    FileChannel open = channel;
    if (open == null) {
      open = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      channel = open;
    }
    return open;
  }

  /** Appends these lines. After an exception, the file may contain some of them. */
  void append(List<String> lines) throws IOException {
    StringBuilder text = new StringBuilder(lineCutShort ? "\n" : "");
    for (String line : lines) {
      text.append(line).append('\n');
    }
    ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(UTF_8));
    try {
      FileChannel open = open();
      while (bytes.hasRemaining()) {
        open.write(bytes);
      }
      lineCutShort = false;
    } catch (IOException e) {
      if (bytes.position() > 0) {
        lineCutShort = bytes.get(bytes.position() - 1) != '\n';
      }
      close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
