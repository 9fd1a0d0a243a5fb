package dev.tarn.sharder.pack;

import dev.tarn.sharder.source.SourceFile;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/**
 * Says which file a failure is about, and what happened to it, where the JDK says only the path.
 */
final class Reasons {
  interface Reading<T extends @Nullable Object> {
    T read() throws IOException;
  }

  private Reasons() {}

  static <T extends @Nullable Object> T naming(SourceFile file, Reading<T> reading)
      throws IOException {
    try {
      return reading.read();
    } catch (NoSuchFileException e) {
      throw new IOException(file.name() + ": vanished while it was packed", e);
    } catch (AccessDeniedException e) {
      throw new IOException(file.name() + ": may not be read: permission denied", e);
    } catch (FileSystemException e) {
      throw new IOException(file.name() + ": cannot be read: " + e.getReason(), e);
    } catch (ClosedByInterruptException e) {
      throw new IOException(file.name() + ": reading was interrupted", e);
    }
  }
}
