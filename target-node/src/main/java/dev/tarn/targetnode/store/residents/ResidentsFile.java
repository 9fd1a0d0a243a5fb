package dev.tarn.targetnode.store.residents;

import dev.tarn.targetnode.store.disk.Disk;
import dev.tarn.targetnode.store.disk.DiskFile;
import dev.tarn.targetnode.store.disk.FormatHeader;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * How the entries of a disk were used, kept in a file, so that the next process knows about it. It
 * is written from time to time and never synced: a part of the use may be lost, and after a loss of
 * power all of it.
 */
public final class ResidentsFile {
  private static final String NAME = "cache-use";
  private static final String TEMPORARY = "cache-use.partial";
  private static final String MAGIC = "TARNCUS2";
  private static final int BUFFER_BYTES = 256 << 10;

  private final Disk disk;

  public ResidentsFile(Disk disk) {
    this.disk = disk;
  }

  /** Writes the file; blocks. */
  public void write(Residents residents) throws IOException {
    disk.delete(TEMPORARY);
    try (DiskFile file = disk.create(TEMPORARY)) {
      CheckedOutputStream checked = new CheckedOutputStream(new Output(file), new CRC32C());
      DataOutputStream out = new DataOutputStream(checked);
      residents.writeTo(out);
      out.flush();
      long bytes = file.length() - FormatHeader.LENGTH;
      long crc = checked.getChecksum().getValue();
      file.write(FormatHeader.of(MAGIC, bytes, crc).encode(), 0);
    }
    disk.rename(TEMPORARY, NAME);
  }

  /**
   * Reads what the file says of entries that are there; blocks.
   *
   * @return false if there is no whole file
   */
  public boolean read(Residents residents) throws IOException {
    if (!disk.exists(NAME)) {
      return false;
    }
    try (DiskFile file = disk.open(NAME)) {
      ByteBuffer header = ByteBuffer.allocateDirect(FormatHeader.LENGTH);
      file.read(header, 0);
      FormatHeader format = FormatHeader.decode(header, MAGIC, NAME);
      if (format.first() != file.length() - FormatHeader.LENGTH || format.second() != crc(file)) {
        return false;
      }
      residents.readFrom(new DataInputStream(new Input(file)));
      return true;
    } catch (UnreadableFormatException | EOFException e) {
      return false;
    }
  }

  private static long crc(DiskFile file) throws IOException {
    CheckedInputStream checked = new CheckedInputStream(new Input(file), new CRC32C());
    checked.transferTo(OutputStream.nullOutputStream());
    return checked.getChecksum().getValue();
  }

  /** Writes behind the header. */
  private static final class Output extends OutputStream {
    private final DiskFile file;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private long position = FormatHeader.LENGTH;

    Output(DiskFile file) {
      this.file = file;
    }

    @Override
    public void write(int value) throws IOException {
      if (!buffer.hasRemaining()) {
        flush();
      }
      buffer.put((byte) value);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      int done = 0;
      while (done < length) {
        if (!buffer.hasRemaining()) {
          flush();
        }
        int count = Math.min(buffer.remaining(), length - done);
        buffer.put(bytes, offset + done, count);
        done += count;
      }
    }

    @Override
    public void flush() throws IOException {
      buffer.flip();
      int count = buffer.remaining();
      file.write(buffer, position);
      position += count;
      buffer.clear();
    }
  }

  /** Reads behind the header. */
  private static final class Input extends InputStream {
    private final DiskFile file;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);
    private final long end;
    private long position = FormatHeader.LENGTH;

    Input(DiskFile file) throws IOException {
      this.file = file;
      this.end = file.length();
    }

    @Override
    public int read() throws IOException {
      return isFilled() ? buffer.get() & 0xFF : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (length == 0 || !isFilled()) {
        return length == 0 ? 0 : -1;
      }
      int count = Math.min(length, buffer.remaining());
      buffer.get(bytes, offset, count);
      return count;
    }

    private boolean isFilled() throws IOException {
      if (!buffer.hasRemaining() && position < end) {
        buffer.clear().limit((int) Math.min(BUFFER_BYTES, end - position));
        int count = buffer.remaining();
        file.read(buffer, position);
        position += count;
        buffer.flip();
      }
      return buffer.hasRemaining();
    }
  }
}
