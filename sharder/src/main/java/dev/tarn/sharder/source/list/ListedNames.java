package dev.tarn.sharder.source.list;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.sample.SampleName;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Member names of files that a list names by URL or path. */
final class ListedNames {
  private static final Pattern URL =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+)://[^/]*/?(.*)", Pattern.DOTALL);
  private static final Pattern ESCAPE = Pattern.compile("%([0-9A-Fa-f]{2})");

  private ListedNames() {}

  /**
   * Returns the path without scheme, bucket, host, query, leading slash and the parts "." and "..".
   */
  static String of(String path) {
    Matcher matcher = URL.matcher(path);
    if (!matcher.matches()) {
      return plain(path);
    }
    String rest = matcher.group(2);
    return switch (matcher.group(1)) {
      case "http", "https" -> plain(decoded(rest.replaceFirst("(?s)[?#].*", "")));
      case "file" -> plain(StorageUrl.parse(path).path());
      default -> plain(rest);
    };
  }

  private static String plain(String path) {
    List<String> parts = new ArrayList<>();
    for (String part : path.split("/", -1)) {
      if (!part.isEmpty() && !part.equals(".") && !part.equals("..")) {
        parts.add(part);
      }
    }
    return String.join("/", parts);
  }

  /** Decodes the percent-encoded bytes of a URL. */
  private static String decoded(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    Matcher escape = ESCAPE.matcher(text);
    int from = 0;
    while (escape.find()) {
      bytes.writeBytes(MemberNames.encode(text.substring(from, escape.start())));
      bytes.write(Integer.parseInt(escape.group(1), 16));
      from = escape.end();
    }
    bytes.writeBytes(MemberNames.encode(text.substring(from)));
    return MemberNames.decode(bytes.toByteArray());
  }

  /**
   * Returns the key of the sample that a name belongs to; the name itself if it belongs to none.
   */
  static String key(String name) {
    int split = SampleName.splitAt(name);
    return split < 0 ? name : name.substring(0, split);
  }

  /** Returns a name up to the first dot of its base name. */
  static String stem(String name) {
    int base = name.lastIndexOf('/') + 1;
    int dot = name.indexOf('.', base);
    return dot < 0 ? name : name.substring(0, dot);
  }
}
