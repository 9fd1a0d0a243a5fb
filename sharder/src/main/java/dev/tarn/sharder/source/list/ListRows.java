package dev.tarn.sharder.source.list;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The rows of a list, in order. */
interface ListRows extends Closeable {
  /** Returns the next row; null after the last. */
  @Nullable ListRow next() throws IOException;
}
