package dev.tarn.sharder.plan;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.source.Source;
import java.util.List;

/** Names files in messages; prefixes the source if there are several. */
record FileNames(List<String> sources) {
  static FileNames of(List<? extends Source> sources) {
    return new FileNames(sources.stream().map(Source::url).toList());
  }

  /** Returns the name in quotes. */
  String printable(int source, String file) {
    return MemberNames.printable(plain(source, file));
  }

  String plain(int source, String file) {
    if (sources.size() == 1) {
      return file;
    }
    String url = sources.get(source);
    return url + (url.endsWith("/") ? "" : "/") + file;
  }
}
