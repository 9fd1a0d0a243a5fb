package dev.tarn.client.storage;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.internal.http.SignedQuery;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.name.PrintableUrl;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of an object, or of a folder of objects.
 *
 * @param scheme kind of storage
 * @param authority the bucket (s3), host and port (http, https), the store's name (memory); empty
 *     for files
 * @param path the key without leading slash (s3, memory); path and query as sent (http, https); the
 *     path as text as defined by {@link MemberNames} (files)
 */
public record StorageUrl(Scheme scheme, String authority, String path) {
  /** The kind of storage. */
  public enum Scheme {
    FILE,
    HTTP,
    HTTPS,
    S3,
    MEMORY
  }

  private static final Pattern WITH_SCHEME =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):(//)?(.*)", Pattern.DOTALL);

  private static final int PORT_MAX = 65_535;

  /** Checks the parts. */
  public StorageUrl {
    requireNonNull(scheme, "scheme is null");
    requireNonNull(authority, "authority is null");
    requireNonNull(path, "path is null");
    boolean needsAuthority = scheme != Scheme.FILE;
    if (needsAuthority == authority.isEmpty()) {
      throw new IllegalArgumentException(
          "a %s URL %s"
              .formatted(
                  name(scheme), needsAuthority ? "names a bucket or host" : "names no host"));
    }
  }

  /**
   * Parses {@code s3://bucket/key}, {@code http(s)://host/path}, {@code file:///path}, {@code
   * memory://store/key} or a plain local path.
   *
   * <p>As with aws-cli, the key in an s3 URL is taken literally and not percent-decoded.
   *
   * @throws IllegalArgumentException if the text is not valid; the message says what is wrong and
   *     what is expected
   */
  public static StorageUrl parse(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException(
          "empty URL: expected a path, s3://bucket/key or http(s)://host/path");
    }
    Matcher matcher = WITH_SCHEME.matcher(text);
    boolean slashes = matcher.matches() && matcher.group(2) != null;
    if (text.startsWith("file:")) {
      return new StorageUrl(Scheme.FILE, "", filePath(text));
    }
    if (!slashes) {
      return new StorageUrl(Scheme.FILE, "", text);
    }
    String rest = matcher.group(3);
    int slash = rest.indexOf('/');
    String authority = slash < 0 ? rest : rest.substring(0, slash);
    String key = slash < 0 ? "" : rest.substring(slash + 1);
    if (authority.isEmpty()) {
      throw new IllegalArgumentException(
          "%s: nothing between // and /: expected a bucket or host"
              .formatted(PrintableUrl.of(text)));
    }
    return switch (matcher.group(1)) {
      case "s3" -> new StorageUrl(Scheme.S3, authority, key);
      case "memory" -> new StorageUrl(Scheme.MEMORY, authority, key);
      case "http" -> new StorageUrl(Scheme.HTTP, authority, webPath(text));
      case "https" -> new StorageUrl(Scheme.HTTPS, authority, webPath(text));
      default ->
          throw new IllegalArgumentException(
              "%s: unknown scheme %s: expected a path, file, http, https or s3"
                  .formatted(PrintableUrl.of(text), matcher.group(1)));
    };
  }

  /**
   * Resolves a name relative to this folder. A name that is a URL replaces this one. A name that
   * begins with a slash is relative to the file system, bucket or host.
   */
  public StorageUrl resolve(String name) {
    Matcher matcher = WITH_SCHEME.matcher(name);
    if (matcher.matches() && matcher.group(2) != null) {
      return parse(name);
    }
    if (!name.startsWith("/")) {
      return child(name);
    }
    return scheme == Scheme.FILE
        ? new StorageUrl(scheme, authority, name)
        : new StorageUrl(scheme, authority, "").child(name.substring(1));
  }

  /** The object with this name relative to this folder; the name is never read as a URL. */
  public StorageUrl child(String name) {
    boolean separated = path.isEmpty() || path.endsWith("/");
    String relative = isWeb() ? percentEncode(name) : name;
    return new StorageUrl(scheme, authority, path + (separated ? "" : "/") + relative);
  }

  /** The folder of this object. */
  public StorageUrl parent() {
    String plain = withoutQuery();
    int slash = plain.lastIndexOf('/', plain.length() - 2);
    String above = slash < 0 ? (scheme == Scheme.FILE ? "." : "") : plain.substring(0, slash + 1);
    return new StorageUrl(scheme, authority, above);
  }

  /** The last segment of the path, as written in the URL. */
  public String name() {
    String plain = withoutQuery();
    return plain.substring(plain.lastIndexOf('/', Math.max(0, plain.length() - 2)) + 1);
  }

  /**
   * This object's name relative to a folder, without leading slash.
   *
   * @throws IllegalArgumentException if the folder does not hold it
   */
  public String nameUnder(StorageUrl folder) {
    String prefix = withoutDot(folder.folderPath());
    String name = withoutDot(path);
    boolean isUnder =
        prefix.isEmpty()
            ? !name.startsWith("/") && !name.startsWith("../")
            : name.startsWith(prefix);
    if (scheme != folder.scheme || !authority.equals(folder.authority) || !isUnder) {
      throw new IllegalArgumentException("%s is not under %s".formatted(this, folder));
    }
    return name.substring(prefix.length());
  }

  /** A local path without the current folder at its start. */
  private String withoutDot(String path) {
    return scheme == Scheme.FILE && path.startsWith("./") ? path.substring(2) : path;
  }

  /** The path with a slash at its end; empty stays empty. */
  public String folderPath() {
    return path.isEmpty() || path.endsWith("/") ? path : path + "/";
  }

  /**
   * The URL for messages: of a web address without user, password and query, which may be secret.
   */
  public String printable() {
    String host = isWeb() ? authority.substring(authority.lastIndexOf('@') + 1) : authority;
    return new StorageUrl(scheme, host, withoutQuery()).toString();
  }

  /**
   * The URL without a signature: a web address without user, password and the query parameters of
   * signatures of S3, CloudFront, Google and Azure. Other URLs stay unchanged.
   */
  public StorageUrl unsigned() {
    if (!isWeb()) {
      return this;
    }
    String host = authority.substring(authority.lastIndexOf('@') + 1);
    String plain = withoutQuery();
    String query = path.length() > plain.length() ? path.substring(plain.length() + 1) : "";
    String kept = SignedQuery.unsigned(query);
    return new StorageUrl(scheme, host, kept.isEmpty() ? plain : plain + "?" + kept);
  }

  private boolean isWeb() {
    return scheme == Scheme.HTTP || scheme == Scheme.HTTPS;
  }

  private String withoutQuery() {
    int query = isWeb() ? path.indexOf('?') : -1;
    return query < 0 ? path : path.substring(0, query);
  }

  private static String filePath(String text) {
    URI uri = webUri(text);
    String host = uri.getRawAuthority();
    if (uri.getRawPath() == null || (host != null && !host.equals("localhost"))) {
      throw new IllegalArgumentException(
          "%s: expected file:///absolute/path without a host".formatted(PrintableUrl.of(text)));
    }
    return MemberNames.decode(percentDecode(uri.getRawPath()));
  }

  private static String webPath(String text) {
    URI uri = webUri(text);
    if (uri.getPort() > PORT_MAX) {
      throw new IllegalArgumentException(
          "%s: port %d, expected %d at most"
              .formatted(PrintableUrl.of(text), uri.getPort(), PORT_MAX));
    }
    if (uri.getHost() == null) {
      throw new IllegalArgumentException(
          ("%s: no valid host between // and /: expected host or host:port, where a host name is"
                  + " of letters, digits, - and . (Java's URIs know no underscore in it)")
              .formatted(PrintableUrl.of(text)));
    }
    String query = uri.getRawQuery();
    String path = uri.getRawPath().isEmpty() ? "" : uri.getRawPath().substring(1);
    return query == null ? path : path + "?" + query;
  }

  private static URI webUri(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      // The exception is not the cause, because its message has the whole text.
      throw new IllegalArgumentException(
          "%s: %s at char %d: percent-encode it"
              .formatted(PrintableUrl.of(text), e.getReason(), e.getIndex()));
    }
  }

  static String percentEncode(String name) {
    StringBuilder out = new StringBuilder(name.length() + 16);
    for (byte b : MemberNames.encode(name)) {
      char c = (char) (b & 0xFF);
      boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (plain || "-._~/".indexOf(c) >= 0) {
        out.append(c);
      } else {
        out.append('%')
            .append(Character.forDigit(c >> 4, 16))
            .append(Character.forDigit(c & 15, 16));
      }
    }
    return out.toString();
  }

  /**
   * Decodes percent-encoded text.
   *
   * @throws IllegalArgumentException if an escape is broken
   */
  static String decode(String text) {
    try {
      return MemberNames.decode(percentDecode(text));
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("broken escape at the end of " + text, e);
    }
  }

  static byte[] percentDecode(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(text.length());
    int from = 0;
    for (int at = text.indexOf('%'); at >= 0; at = text.indexOf('%', from)) {
      out.writeBytes(MemberNames.encode(text.substring(from, at)));
      out.write(Integer.parseInt(text, at + 1, at + 3, 16));
      from = at + 3;
    }
    out.writeBytes(MemberNames.encode(text.substring(from)));
    return out.toByteArray();
  }

  private static String name(Scheme scheme) {
    return scheme.name().toLowerCase(Locale.ROOT);
  }

  /** A plain path for files, a URL for everything else. */
  @Override
  public String toString() {
    return scheme == Scheme.FILE ? path : "%s://%s/%s".formatted(name(scheme), authority, path);
  }
}
