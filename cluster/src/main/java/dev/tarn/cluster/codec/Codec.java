package dev.tarn.cluster.codec;

import static java.util.Objects.requireNonNull;

/**
 * The encoding of one kind of message, declared once: a writer and a reader of its fields.
 *
 * <p>A message is a sequence of fields in the order of their tags, then an end mark. Each field has
 * its tag and its type, so that a reader can skip an optional field of a newer release. A field
 * that must not be ignored is marked as required; a reader that does not know it refuses the
 * message. A tag never gets a second meaning, and new fields get greater tags.
 *
 * <p>Writer and reader name the fields in the same order. A value that its own constructor rejects
 * is malformed, like bytes that end early.
 *
 * @param <T> the type of the decoded value
 */
public final class Codec<T> {
  private final String name;
  private final Writer<T> writer;
  private final Reader<T> reader;

  /** Writes the fields of a value. */
  public interface Writer<T> {
    /** Writes all fields in the order of their tags. */
    void write(FieldWriter out, T value);
  }

  /** Reads a value from its fields. */
  public interface Reader<T> {
    /** Reads the fields in the order of their tags. */
    T read(FieldReader in) throws MalformedMessageException;
  }

  private Codec(String name, Writer<T> writer, Reader<T> reader) {
    this.name = requireNonNull(name, "name is null");
    this.writer = requireNonNull(writer, "writer is null");
    this.reader = requireNonNull(reader, "reader is null");
  }

  /**
   * Combines a writer and a reader.
   *
   * @param name of the kind of message, for errors
   */
  public static <T> Codec<T> of(String name, Writer<T> writer, Reader<T> reader) {
    return new Codec<>(name, writer, reader);
  }

  /** The name of the kind of message. */
  public String name() {
    return name;
  }

  /** Encodes a value as a message. */
  public byte[] encode(T value) {
    return encode(new FieldWriter(), value);
  }

  /** Encodes a value as a message after one byte, such as a format version. */
  public byte[] encodeBehind(int firstByte, T value) {
    return encode(new FieldWriter().rawByte(firstByte), value);
  }

  private byte[] encode(FieldWriter out, T value) {
    write(out, value);
    return out.toMessage();
  }

  /**
   * Decodes the bytes of {@link #encode}; nothing may follow them.
   *
   * @throws MalformedMessageException if the bytes are not such a message
   */
  public T decode(byte[] bytes) throws MalformedMessageException {
    return decode(bytes, 0);
  }

  /**
   * Decodes the bytes of {@link #encode}; nothing may follow them.
   *
   * @param offset where the message begins
   * @throws MalformedMessageException if the bytes are not such a message
   */
  public T decode(byte[] bytes, int offset) throws MalformedMessageException {
    try {
      FieldReader in = new FieldReader(bytes, offset);
      T value = readFields(in);
      in.end();
      return value;
    } catch (MalformedMessageException malformed) {
      throw named(malformed);
    }
  }

  /** Writes the fields into a message that is being written. */
  public void write(FieldWriter out, T value) {
    writer.write(out, value);
  }

  /** Reads the fields from a message that is being read. */
  public T read(FieldReader in) throws MalformedMessageException {
    return reader.read(in);
  }

  /** Reads all fields of a message up to its end mark. */
  T readWhole(FieldReader in) throws MalformedMessageException {
    try {
      T value = readFields(in);
      in.skipToEnd();
      return value;
    } catch (MalformedMessageException malformed) {
      throw named(malformed);
    }
  }

  private T readFields(FieldReader in) throws MalformedMessageException {
    try {
      return reader.read(in);
    } catch (IllegalArgumentException refused) {
      throw new MalformedMessageException(refused.getMessage() + in.place(), refused);
    }
  }

  private MalformedMessageException named(MalformedMessageException malformed) {
    return new MalformedMessageException(name + ": " + malformed.getMessage(), malformed);
  }
}
