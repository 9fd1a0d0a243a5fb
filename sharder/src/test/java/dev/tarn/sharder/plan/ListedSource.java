package dev.tarn.sharder.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A source whose files are listed, and never read. */
record ListedSource(String url, boolean isOrdered, List<SourceFile> files) implements Source {
  static final long SIZE = 100;

  /** Files of 100 bytes each. */
  static ListedSource of(String... names) {
    return of(Stream.of(names).map(name -> SourceFile.named(name, SIZE, 1)).toList());
  }

  static ListedSource of(List<SourceFile> files) {
    return new ListedSource("listed", false, files);
  }

  /** The same, with an order of its own. */
  ListedSource inOrder() {
    return new ListedSource(url, true, files);
  }

  /** The same under another name. */
  ListedSource named(String name) {
    return new ListedSource(name, isOrdered, files);
  }

  @Override
  public void list(Consumer<SourceFile> action) {
    files.forEach(action);
  }

  @Override
  public int read(SourceFile file, ByteBuffer target) {
    throw new UnsupportedOperationException(file.name());
  }

  @Override
  public StorageUrl place(SourceFile file) {
    throw new UnsupportedOperationException(file.name());
  }

  @Override
  public ReadableByteChannel open(SourceFile file) {
    throw new UnsupportedOperationException(file.name());
  }

  @Override
  public void close() {}

  /** A file whose bytes the listing gives. */
  static SourceFile with(String name, String content) {
    ByteBuffer bytes = UTF_8.encode(content);
    return new SourceFile(name, name, bytes.remaining(), 0, bytes);
  }
}
