package dev.tarn.sharder.source.open;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A source with a modified listing. Closing it does not close the source. */
public final class SourceView implements Source {
  private final Source source;
  private final UnaryOperator<Consumer<SourceFile>> listing;

  private SourceView(Source source, UnaryOperator<Consumer<SourceFile>> listing) {
    this.source = requireNonNull(source, "source is null");
    this.listing = listing;
  }

  /** Lists only the files whose names pass the filter. */
  static SourceView filtered(Source source, Predicate<String> filter) {
    requireNonNull(filter, "filter is null");
    return new SourceView(
        source,
        action ->
            file -> {
              if (filter.test(file.name())) {
                action.accept(file);
              }
            });
  }

  /**
   * Lists all files, and counts them.
   *
   * @param progress receives each file
   */
  public static SourceView counted(Source source, Progress progress) {
    requireNonNull(progress, "progress is null");
    return new SourceView(
        source,
        action ->
            file -> {
              action.accept(file);
              progress.add(1, file.size());
            });
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
  public boolean isChosen() {
    return source.isChosen();
  }

  @Override
  public @Nullable String archive() {
    return source.archive();
  }

  @Override
  public String where(SourceFile file) {
    return source.where(file);
  }

  @Override
  public List<String> classes() throws IOException {
    return source.classes();
  }

  @Override
  public void list(Consumer<SourceFile> action) throws IOException {
    source.list(listing.apply(action));
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
  public StorageUrl place(SourceFile file) throws IOException {
    return source.place(file);
  }

  @Override
  public void close() {
    // The caller owns the source.
  }
}
