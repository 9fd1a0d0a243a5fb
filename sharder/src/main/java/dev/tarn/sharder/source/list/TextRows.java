package dev.tarn.sharder.source.list;

import dev.tarn.shard.name.MemberNames;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A URL or path per line; empty lines and lines that start with # are skipped. */
final class TextRows implements ListRows {
  private final Lines lines;
  private final String column;

  TextRows(String list, InputStream stream, String column) {
    this.lines = new Lines(list, stream);
    this.column = column;
  }

  @Override
  public @Nullable ListRow next() throws IOException {
    for (byte[] line; (line = lines.next()) != null; ) {
      if (line.length > 0 && line[0] != '#') {
        return new ListRow(lines.number(), Map.of(column, MemberNames.decode(line)));
      }
    }
    return null;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
