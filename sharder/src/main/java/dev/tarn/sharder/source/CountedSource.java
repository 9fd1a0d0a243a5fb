package dev.tarn.sharder.source;

import static java.util.Objects.requireNonNull;

import dev.tarn.sharder.progress.Progress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.function.Consumer;

/**
 * A source that counts what it lists. Closing it leaves the source open.
 *
 * @param source which it passes everything on to
 * @param progress told of each file that is listed
 */
public record CountedSource(Source source, Progress progress) implements Source {
  public CountedSource {
    requireNonNull(source, "source is null");
    requireNonNull(progress, "progress is null");
  }

  @Override
  public String url() {
    return source.url();
  }

  @Override
  public boolean isOrdered() {
    return source.isOrdered();
  }

  @Override
  public List<String> classes() throws IOException {
    return source.classes();
  }

  @Override
  public void list(Consumer<SourceFile> action) throws IOException {
    source.list(file -> {
      action.accept(file);
      progress.add(1, file.size());
    });
  }

  @Override
  public int read(SourceFile file, ByteBuffer target) throws IOException {
    return source.read(file, target);
  }

  @Override
  public ReadableByteChannel open(SourceFile file) throws IOException {
    return source.open(file);
  }

  @Override
  public void close() {
    // The source is the caller's.
  }
}
