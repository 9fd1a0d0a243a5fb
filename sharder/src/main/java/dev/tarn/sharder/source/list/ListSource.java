package dev.tarn.sharder.source.list;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.source.ListColumns;
import dev.tarn.sharder.source.ListingFaults;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.StoredFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The files that a list names, and the members whose content is in the list, in the list's order. A
 * file's path is the list's text: a URL, or a path relative to the list.
 */
public final class ListSource implements Source {
  private final Storage storage;
  private final StorageUrl list;
  private final ListColumns columns;
  private final ListingFaults faults;
  private final Consumer<String> notices;
  private final RowReading reading;
  private final StoredFiles files;

  /**
   * @param list a file of text, JSON lines, CSV or TSV; its extension selects the format
   */
  public ListSource(Storage storage, StorageUrl list, SourceOptions options) {
    this.storage = requireNonNull(storage, "storage is null");
    this.list = requireNonNull(list, "list is null");
    this.columns = options.columns();
    this.faults = options.faults();
    this.notices = options.notices();
    this.reading = new RowReading(list.toString(), list.parent(), columns);
    this.files = new StoredFiles(storage);
  }

  @Override
  public String url() {
    return list.toString();
  }

  @Override
  public boolean isOrdered() {
    return true;
  }

  @Override
  public boolean isChosen() {
    return true;
  }

  @Override
  public void list(Consumer<SourceFile> action) throws IOException {
    try (InputStream stream = ByteOrderMark.passed(storage.open(list));
        ListRows rows = rows(stream);
        Lookups lookups = new Lookups(url(), storage, faults, action)) {
      Set<String> unseen = new TreeSet<>(columns.members().keySet());
      for (ListRow row; (row = rows.next()) != null; ) {
        unseen.removeAll(row.cells().keySet());
        add(row, lookups);
      }
      lookups.finish();
      tellOf(unseen);
    }
  }

  /**
   * Warns of columns without values: only tables list their columns, so this is known only at the
   * end.
   */
  private void tellOf(Set<String> unseen) {
    for (String column : unseen) {
      notices.accept(
          "%s: no row has a value in column %s, which --member names"
              .formatted(url(), MemberNames.printable(column)));
    }
  }

  private void add(ListRow row, Lookups lookups) throws IOException {
    ListedRow listed;
    try {
      listed = reading.read(row);
    } catch (IOException e) {
      faults.skip("%s line %d".formatted(url(), row.line()), "", e);
      return;
    }
    lookups.add(listed);
  }

  private ListRows rows(InputStream stream) throws IOException {
    String name = list.name().toLowerCase(Locale.ROOT);
    String column = columns.urlColumn();
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "jsonl", "ndjson" -> new JsonRows(url(), stream, column);
      case "csv" -> csv(stream, ',');
      case "tsv" -> csv(stream, '\t');
      default -> new TextRows(url(), stream, column);
    };
  }

  private CsvRows csv(InputStream stream, char separator) throws IOException {
    CsvRows rows = new CsvRows(url(), stream, separator);
    Set<String> needed = new HashSet<>(columns.members().keySet());
    columns.key().ifPresent(needed::add);
    columns.url().ifPresent(needed::add);
    if (columns.key().isEmpty()) {
      needed.add(columns.urlColumn());
    }
    rows.requireColumns(needed);
    return rows;
  }

  @Override
  public int read(SourceFile file, ByteBuffer target) throws IOException {
    ByteBuffer content = file.content();
    if (content == null) {
      return files.read(reading.url(file.path()), file, target);
    }
    int count = Math.min(content.remaining(), target.remaining());
    target.put(content.slice(content.position(), count));
    return count;
  }

  @Override
  public ReadableByteChannel open(SourceFile file) throws IOException {
    ByteBuffer content = file.content();
    if (content == null) {
      return files.open(reading.url(file.path()), file);
    }
    byte[] bytes = new byte[content.remaining()];
    content.duplicate().get(bytes);
    return Channels.newChannel(new java.io.ByteArrayInputStream(bytes));
  }

  @Override
  public StorageUrl place(SourceFile file) {
    return reading.url(file.path());
  }

  @Override
  public void close() {
    // The caller owns the storage.
  }
}
