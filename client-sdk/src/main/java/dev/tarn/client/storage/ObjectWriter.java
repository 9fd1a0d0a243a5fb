package dev.tarn.client.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * Writes one object, which appears whole at {@link #commit} or not at all.
 *
 * <p>Use it in a try-with-resources block that ends with {@code commit()}. Without a commit, {@link
 * #close} discards what was written (temporary file, parts of a multipart upload) and leaves an
 * existing object of that name unchanged. Memory is bounded, whatever the object's length. One
 * thread writes.
 */
public abstract class ObjectWriter extends OutputStream implements WritableByteChannel {
  /** The object's name. */
  public abstract StorageUrl url();

  /** Writes all of the buffer's remaining bytes. */
  @Override
  public abstract int write(ByteBuffer source) throws IOException;

  @Override
  public void write(byte[] source, int offset, int length) throws IOException {
    write(ByteBuffer.wrap(source, offset, length));
  }

  @Override
  public void write(int value) throws IOException {
    write(ByteBuffer.wrap(new byte[] {(byte) value}));
  }

  /**
   * Makes the object visible and replaces one of the same name. When it returns, the object is as
   * durable as the storage promises (local: file and directory entry are synced).
   *
   * @throws StorageException if that failed. The name then has the former object or, if the
   *     storage's answer was lost, the new one, and never a part of it.
   */
  public abstract StoredObject commit() throws IOException;

  /** Closes the writer; discards the bytes unless they were committed. */
  @Override
  public abstract void close() throws IOException;
}
