package dev.tarn.sharder.source;

import java.io.IOException;
import java.util.function.Consumer;

/** Files told one after the other, so that nobody needs to hold them all. */
@FunctionalInterface
public interface FileListing {
  /** Tells of every file, in no particular order, one at a time. */
  void forEach(Consumer<SourceFile> action) throws IOException;
}
