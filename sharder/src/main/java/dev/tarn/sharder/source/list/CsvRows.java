package dev.tarn.sharder.source.list;

import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import dev.tarn.shard.name.MemberNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Comma- or tab-separated values, quoted as in RFC 4180, below a line of column names. */
final class CsvRows implements ListRows {
  private final String list;
  private final CloseableIterator<CsvRecord> records;
  private final CsvText text;
  private final List<String> columns;
  private long line;

  CsvRows(String list, InputStream stream, char separator) throws IOException {
    this.list = list;
    this.text = new CsvText(list, stream, separator);
    this.records =
        CsvReader.builder()
            .fieldSeparator(separator)
            .allowMissingFields(true)
            .allowExtraFields(true)
            .maxBufferSize(Lines.LINE_BYTES_MAX)
            .build(
                CsvRecordHandler.builder()
                    .maxFieldSize(Lines.LINE_BYTES_MAX)
                    .maxRecordSize(Lines.LINE_BYTES_MAX)
                    .build(),
                text)
            .iterator();
    CsvRecord header = record();
    if (header == null) {
      throw new IOException(list + ": empty; expected a line of column names");
    }
    this.columns = columns(header);
  }

  private List<String> columns(CsvRecord header) throws IOException {
    Set<String> seen = new HashSet<>();
    List<String> names = header.getFields();
    for (String name : names) {
      if (!seen.add(name)) {
        throw new IOException(
            "%s line 1: two columns of the name %s".formatted(list, MemberNames.printable(name)));
      }
    }
    return List.copyOf(names);
  }

  /** Verifies that there are columns of these names. */
  void requireColumns(Set<String> names) throws IOException {
    for (String name : names) {
      if (!columns.contains(name)) {
        throw new IOException(
            "%s line 1: no column %s; there are %s"
                .formatted(
                    list,
                    MemberNames.printable(name),
                    columns.stream()
                        .map(MemberNames::printable)
                        .collect(Collectors.joining(", "))));
      }
    }
  }

  private @Nullable CsvRecord record() throws IOException {
    try {
      if (!records.hasNext()) {
        return null;
      }
      CsvRecord next = records.next();
      line = next.getStartingLineNumber();
      return next;
    } catch (CsvParseException e) {
      throw new IOException(
          "%s after line %d: not CSV: %s%s".formatted(list, line, reason(e), text.openQuote()), e);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** The reason that the parser gives; the outermost exception names a line alone. */
  private static String reason(CsvParseException e) {
    Throwable innermost = e;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    return String.valueOf(innermost.getMessage());
  }

  /** Returns the next row, without empty cells: CSV has no other way to express a missing value. */
  @Override
  public @Nullable ListRow next() throws IOException {
    CsvRecord next = record();
    if (next == null) {
      return null;
    }
    if (next.getFieldCount() != columns.size()) {
      throw new IOException(
          "%s line %d: %d values, but there are %d columns"
              .formatted(list, line, next.getFieldCount(), columns.size()));
    }
    Map<String, String> cells = new LinkedHashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      if (!next.getField(i).isEmpty()) {
        cells.put(columns.get(i), next.getField(i));
      }
    }
    return new ListRow(line, cells);
  }

  @Override
  public void close() throws IOException {
    records.close();
  }
}
