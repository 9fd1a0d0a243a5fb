package dev.tarn.client.decode;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decodes members by extension. Decoders of {@link ServiceLoader} replace built-in ones; decoders
 * that were added replace both.
 *
 * <table>
 * <caption>Built in</caption>
 * <tr><th>extension</th><th>value</th></tr>
 * <tr><td>txt, text, transcript</td><td>{@link String}, of UTF-8</td></tr>
 * <tr><td>cls, cls2, class, count, index, inx, id</td><td>{@link Long}</td></tr>
 * <tr><td>json, jsn</td><td>{@link Map}, {@link java.util.List}, {@link String}, {@link Long},
 * {@link java.math.BigInteger}, {@link Double}, {@link Boolean} or null</td></tr>
 * <tr><td>cbor; mp, msg, msgpack</td><td>the same, and {@code byte[]}; of MessagePack also {@link
 * java.time.Instant} and {@link MessagePackExtension}</td></tr>
 * <tr><td>npy</td><td>{@link NpyArray}, a view</td></tr>
 * <tr><td>npz</td><td>a {@link Map} of {@link NpyArray}s by name</td></tr>
 * <tr><td>ten, tb</td><td>a {@link java.util.List} of {@link NpyArray}s, views</td></tr>
 * <tr><td>jpg, jpeg, png, gif, bmp, tif, tiff, wbmp, webp, pbm, pgm, pnm, ppm</td><td>{@link
 * java.awt.image.BufferedImage}, as far as ImageIO has a reader for it</td></tr>
 * <tr><td>pkl, pickle, pyd, pth</td><td>refused: to load a pickle is to run what it holds</td></tr>
 * </table>
 *
 * <p>The part after the last dot decides: {@code seg.png} is decoded as {@code png}. If that part
 * is {@code gz}, the bytes are decompressed first, up to a bound, and the part before it decides.
 * Lengths that the bytes declare are checked against the existing bytes before memory is allocated.
 *
 * <p>Immutable; safe for any number of threads.
 */
public final class Decoders {
  private static final String GZIP_SUFFIX = ".gz";
  private static final int DEFAULT_DECOMPRESSED_BYTES_MAX = 256 << 20;

  /** Pillow, which Python's loaders use, refuses larger images as attacks. */
  private static final long DEFAULT_PIXELS_MAX = 178_956_970;

  private static final Set<String> PICKLES = Set.of("pkl", "pickle", "pyd", "pth");

  /** Loaded when the first sample is decoded. */
  private static final class Standard {
    static final Decoders DECODERS = builder().build();
  }

  private final Map<String, SampleDecoder> byExtension;
  private final int decompressedBytesMax;

  private Decoders(Builder builder) {
    Map<String, SampleDecoder> decoders =
        new HashMap<>(BuiltIn.decoders(builder.decompressedBytesMax, builder.pixelsMax));
    decoders.putAll(builder.services());
    decoders.putAll(builder.added);
    this.byExtension = Map.copyOf(decoders);
    this.decompressedBytesMax = builder.decompressedBytesMax;
  }

  /** The built-in decoders, and those that {@link ServiceLoader} finds. */
  public static Decoders standard() {
    return Standard.DECODERS;
  }

  /** Starts with {@link #standard}. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Decodes a member.
   *
   * @throws IllegalArgumentException if there is no decoder for its extension, or it is a pickle
   * @throws DecodeException if the bytes are not in the extension's format
   */
  public @Nullable Object decode(EncodedMember member) {
    boolean isGzip = member.extension().endsWith(GZIP_SUFFIX);
    String extension =
        isGzip
            ? member.extension().substring(0, member.extension().length() - GZIP_SUFFIX.length())
            : member.extension();
    SampleDecoder decoder = find(member, extension);
    try {
      ByteBuffer data =
          isGzip ? Gunzip.decompress(member.data(), decompressedBytesMax) : member.data();
      return decoder.decode(new EncodedMember(member.key(), member.shard(), extension, data));
    } catch (IOException | RuntimeException e) {
      // Image readers throw any exception if the bytes are not an image.
      throw new DecodeException(member, e);
    }
  }

  /**
   * Decodes a member to a type. A whole number is converted to any type of numbers that can hold
   * it.
   *
   * @throws IllegalArgumentException as for {@link #decode(EncodedMember)}
   * @throws DecodeException as for {@link #decode(EncodedMember)}, or if the value is of another
   *     type, or null
   */
  public <T> T decode(EncodedMember member, Class<T> type) {
    Object value = decode(member);
    T typed = Conversions.convert(value, type);
    if (typed == null) {
      String found = value == null ? "null" : "a " + value.getClass().getName();
      throw new DecodeException(member, "is %s, which is no %s".formatted(found, type.getName()));
    }
    return typed;
  }

  private SampleDecoder find(EncodedMember member, String extension) {
    for (int from = 0; from >= 0; from = extension.indexOf('.', from) + 1) {
      String suffix = extension.substring(from);
      SampleDecoder decoder = byExtension.get(suffix);
      if (decoder != null) {
        return decoder;
      }
      if (PICKLES.contains(suffix)) {
        throw refused(
            member,
            "is a Python pickle, which runs code when it is loaded, so it is never decoded; take"
                + " its bytes");
      }
      if (suffix.indexOf('.') < 0) {
        break;
      }
    }
    throw refused(
        member,
        "has no decoder (only %s have one); add one, or take its bytes"
            .formatted(new TreeSet<>(byExtension.keySet())));
  }

  private static IllegalArgumentException refused(EncodedMember member, String what) {
    return new IllegalArgumentException(
        "sample %s of %s: member %s %s"
            .formatted(member.key(), member.shard(), member.extension(), what));
  }

  /** Collects decoders and settings. */
  public static final class Builder {
    private final Map<String, SampleDecoder> added = new LinkedHashMap<>();
    private int decompressedBytesMax = DEFAULT_DECOMPRESSED_BYTES_MAX;
    private long pixelsMax = DEFAULT_PIXELS_MAX;

    private Builder() {}

    /**
     * Adds a decoder, which replaces all others for its extensions.
     *
     * @throws IllegalArgumentException if an extension is not in lower case, or begins with a dot
     */
    public Builder add(SampleDecoder decoder) {
      for (String extension : decoder.extensions()) {
        added.put(required(extension, decoder), decoder);
      }
      return this;
    }

    /**
     * Sets the bound of what a member ending in {@code .gz}, or an npz, decompresses to, in bytes;
     * 256 MiB if not set.
     */
    public Builder decompressedBytesMax(int bytes) {
      if (bytes <= 0) {
        throw new IllegalArgumentException(
            "decompressedBytesMax is %d, expected a positive number".formatted(bytes));
      }
      decompressedBytesMax = bytes;
      return this;
    }

    /**
     * Sets the bound of an image's width times height; 178,956,970 if not set, as in Pillow. Images
     * that claim to be more than 64 MiB and more than 4,096 times their bytes are always refused.
     */
    public Builder pixelsMax(long pixels) {
      if (pixels <= 0) {
        throw new IllegalArgumentException(
            "pixelsMax is %d, expected a positive number".formatted(pixels));
      }
      pixelsMax = pixels;
      return this;
    }

    /**
     * Builds the decoders.
     *
     * @throws IllegalArgumentException if a decoder of {@link ServiceLoader} has an extension that
     *     is not in lower case, or begins with a dot
     * @throws IllegalStateException if {@link ServiceLoader} finds two decoders of one extension
     *     and none was added for it
     */
    public Decoders build() {
      return new Decoders(this);
    }

    /** No member has any other extension. */
    private static String required(String extension, SampleDecoder decoder) {
      requireNonNull(extension, "extension is null");
      if (extension.startsWith(".") || !extension.equals(extension.toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException(
            "extension %s of %s: expected it in lower case and without first dot"
                .formatted(extension, decoder.getClass().getName()));
      }
      return extension;
    }

    private Map<String, SampleDecoder> services() {
      Map<String, SampleDecoder> found = new HashMap<>();
      for (SampleDecoder decoder : ServiceLoader.load(SampleDecoder.class)) {
        for (String extension : decoder.extensions()) {
          SampleDecoder other = found.put(required(extension, decoder), decoder);
          if (other != null && !added.containsKey(extension)) {
            throw new IllegalStateException(
                "both %s and %s decode %s: add the one that should"
                    .formatted(
                        other.getClass().getName(), decoder.getClass().getName(), extension));
          }
        }
      }
      return found;
    }
  }
}
