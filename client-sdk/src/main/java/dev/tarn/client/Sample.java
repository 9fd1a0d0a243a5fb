package dev.tarn.client;

import dev.tarn.client.decode.DecodeException;
import dev.tarn.client.decode.Decoders;
import dev.tarn.client.decode.EncodedMember;
import dev.tarn.client.internal.read.ReadSample;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One sample: a key, and the bytes of its members by extension.
 *
 * <p>A sample of an iterator is valid until the iterator's next {@code next()} or {@code close()},
 * in a function of a {@link Loader} until the function returns. After that {@link #get}, {@link
 * #bytes}, {@link #decode} and {@link #copy} throw IllegalStateException. These samples stay valid:
 * a {@link #copy}, the samples of {@link SampleIterator#stream}, and a sample that was read by
 * number or key.
 */
public final class Sample {
  private final ReadSample content;
  private final Decoders decoders;

  /**
   * Makes a sample.
   *
   * @param decoders by which {@link #decode} decodes members
   */
  Sample(ReadSample content, Decoders decoders) {
    this.content = content;
    this.decoders = decoders;
  }

  /** The key that the names of its members share: the path up to the basename's first dot. */
  public String key() {
    return content.key();
  }

  /** The URL of its shard; a web address comes without the query, which may hold a signature. */
  public String url() {
    return content.url();
  }

  /** The offset of its first member's data, in bytes of the uncompressed shard. */
  public long offset() {
    return content.offset();
  }

  /**
   * The extensions of its members, in the order of the shard, lower-case, without the first dot.
   */
  public List<String> extensions() {
    return content.extensions();
  }

  /** Whether it has a member with this extension. */
  public boolean has(String extension) {
    return content.has(extension);
  }

  /**
   * The bytes of one member, from position 0 to the limit, big-endian. Each call returns a buffer
   * with its own position.
   *
   * <p>The buffer is a view of the iterator's read buffers and valid as long as the sample. After
   * that the same memory holds other bytes: copy what must stay, or use {@link #bytes} or {@link
   * #copy}.
   *
   * <p>The buffer may be direct, so that it has no array. Some engines make tensors of direct
   * buffers that are views too.
   *
   * @throws IllegalArgumentException if the sample has no such member; the message names those that
   *     it has
   * @throws IllegalStateException if the sample is no longer valid
   */
  public ByteBuffer get(String extension) {
    return required(extension).duplicate();
  }

  /**
   * A copy of one member's bytes, which stays valid.
   *
   * @throws IllegalArgumentException if the sample has no such member; the message names those that
   *     it has
   * @throws IllegalStateException if the sample is no longer valid
   */
  public byte[] bytes(String extension) {
    ByteBuffer member = required(extension);
    byte[] copy = new byte[member.remaining()];
    member.get(member.position(), copy);
    return copy;
  }

  /**
   * Decodes one member by its extension: text, a number, a tree of values, an array or an image.
   * {@link Decoders} has the table.
   *
   * <p>The value stays valid, except for an {@link dev.tarn.client.decode.NpyArray}, which is a
   * view like the buffer of {@link #get}.
   *
   * @return null only if the member encodes it, like the JSON {@code null}
   * @throws IllegalArgumentException if the sample has no such member, there is no decoder for it,
   *     or it is a pickle
   * @throws DecodeException if the bytes are not in the extension's format; the message names key,
   *     shard and extension
   */
  public @Nullable Object decode(String extension) {
    return decoders.decode(member(extension));
  }

  /**
   * Decodes one member to a type, as in {@code decode("cls", int.class)}.
   *
   * @throws IllegalArgumentException as {@link #decode(String)} does
   * @throws DecodeException as {@link #decode(String)} does, or if the value is of another type
   */
  public <T> T decode(String extension, Class<T> type) {
    return decoders.decode(member(extension), type);
  }

  private EncodedMember member(String extension) {
    return new EncodedMember(key(), url(), extension, required(extension));
  }

  /**
   * A copy of the sample, which stays valid. It takes heap memory that the iterator's budget does
   * not count.
   *
   * @throws IllegalStateException if the sample is no longer valid
   */
  public Sample copy() {
    return new Sample(content.copy(), decoders);
  }

  /** The length of all members together, in bytes. */
  public long size() {
    return content.size();
  }

  private ByteBuffer required(String extension) {
    ByteBuffer member = content.find(extension);
    if (member == null) {
      throw new IllegalArgumentException(
          "sample %s of %s has no member %s, only %s"
              .formatted(key(), url(), extension, extensions()));
    }
    return member;
  }

  @Override
  public String toString() {
    return "Sample[%s of %s, %s]".formatted(key(), url(), extensions());
  }
}
