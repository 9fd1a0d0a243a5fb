package dev.tarn.sharder.source;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The files of a source whose names are wanted. */
final class FilteredSource implements Source {
  private final Source source;
  private final Predicate<String> filter;

  FilteredSource(Source source, Predicate<String> filter) {
    this.source = requireNonNull(source, "source is null");
    this.filter = requireNonNull(filter, "filter is null");
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
      if (filter.test(file.name())) {
        action.accept(file);
      }
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
  public void close() throws IOException {
    source.close();
  }
}
