package dev.tarn.client;

import dev.tarn.client.decode.DecodeException;
import dev.tarn.client.decode.Decoders;
import dev.tarn.client.decode.EncodedMember;
import dev.tarn.client.internal.stage.Held;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One sample: a key, and bytes by extension. */
public final class Sample {
  private final String key;
  private final String url;
  private final long offset;
  private final String[] extensions;
  private final ByteBuffer[] data;

  /** What its views lie in. */
  private final Held held;

  private @Nullable Decoders decoders;

  Sample(
      String key,
      String url,
      long offset,
      List<String> extensions,
      List<ByteBuffer> data,
      Held held) {
    this.key = key;
    this.url = url;
    this.offset = offset;
    this.extensions = extensions.toArray(String[]::new);
    this.data = data.toArray(ByteBuffer[]::new);
    this.held = held;
    if (held instanceof SampleMemory memory) {
      memory.isSeenBy(this.data);
    }
  }

  /** What the names of its members share: the path up to the first dot of the basename. */
  public String key() {
    return key;
  }

  /** The shard that it is from; of a web address without the query, which may hold a signature. */
  public String url() {
    return url;
  }

  /** Where the data of its first member begins, in bytes of the uncompressed shard. */
  public long offset() {
    return offset;
  }

  /** The extensions of its members in the order of the shard, in lower case, without first dot. */
  public List<String> extensions() {
    return List.of(extensions);
  }

  /** Whether it has a member of that extension. */
  public boolean has(String extension) {
    return find(extension) != null;
  }

  /**
   * The bytes of one member, from position 0 to the limit, big-endian, with a position of its own.
   *
   * <p>It is a view of the iterator's read buffers and valid until the iterator's next {@code
   * next()} or {@code close()}, or, of a {@link Loader}'s, until the function returns that the
   * sample was given to: after that the same memory holds other bytes. Copy what must stay, or use
   * {@link #bytes}. Of a sample that was asked for by number or key it stays valid. It may lie out
   * of the heap: then it has no array, and some engines make tensors of it that are views too.
   *
   * @throws IllegalArgumentException if the sample has no such member, naming those it has
   */
  public ByteBuffer get(String extension) {
    return required(extension).duplicate();
  }

  /**
   * A copy of the bytes of one member, the caller's for good.
   *
   * @throws IllegalArgumentException if the sample has no such member, naming those it has
   */
  public byte[] bytes(String extension) {
    ByteBuffer member = required(extension);
    byte[] copy = new byte[member.remaining()];
    member.get(member.position(), copy);
    return copy;
  }

  /**
   * What one member holds, by its extension: text, a number, a tree of values, an array, an image;
   * the table is in {@link Decoders}.
   *
   * <p>A value is the caller's for good, but for an {@link dev.tarn.client.decode.NpyArray}, which
   * is a view as {@link #get} gives it.
   *
   * @return null only where the member says so, as the JSON {@code null} does
   * @throws IllegalArgumentException if the sample has no such member, there is no decoder for it,
   *     or it is a pickle
   * @throws DecodeException naming key, shard and extension, if the bytes are not what the
   *     extension says
   */
  public @Nullable Object decode(String extension) {
    return decoders().decode(member(extension));
  }

  /**
   * What one member holds, as a type; {@code decode("cls", int.class)}.
   *
   * @throws IllegalArgumentException as {@link #decode(String)} does
   * @throws DecodeException as {@link #decode(String)} does, or if the value is of another type
   */
  public <T> T decode(String extension, Class<T> type) {
    return decoders().decode(member(extension), type);
  }

  private EncodedMember member(String extension) {
    return new EncodedMember(key, url, extension, required(extension));
  }

  private Decoders decoders() {
    return decoders == null ? Decoders.standard() : decoders;
  }

  /** The same, decoded by these from now on. */
  Sample decodedBy(Decoders decoders) {
    this.decoders = decoders;
    return this;
  }

  /** The bytes of all members together. */
  public long size() {
    long size = 0;
    for (ByteBuffer member : data) {
      size += member.remaining();
    }
    return size;
  }

  /** The memory of the views. */
  Held held() {
    return held;
  }

  private ByteBuffer required(String extension) {
    ByteBuffer member = find(extension);
    if (member == null) {
      throw new IllegalArgumentException(
          "sample %s of %s has no member %s, only %s".formatted(key, url, extension, extensions()));
    }
    return member;
  }

  private @Nullable ByteBuffer find(String extension) {
    for (int i = 0; i < extensions.length; i++) {
      if (extensions[i].equals(extension)) {
        return data[i];
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return "Sample[%s of %s, %s]".formatted(key, url, extensions());
  }
}
