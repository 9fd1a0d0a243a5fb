package dev.tarn.cluster.control;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Commands and snapshots as bytes, the same bytes for the same value everywhere. Whoever stores
 * them notes the format version beside them: the bytes do not tell.
 */
public final class ControlCodec {
  /** The format that this class writes. */
  public static final int FORMAT_VERSION = 3;

  /**
   * The oldest format that this class reads: it knew neither a cluster id nor targets. The second
   * did not know configurations of buckets.
   */
  public static final int FORMAT_VERSION_OLDEST = 1;

  static final int FIRST_VERSION_WITH_CLUSTER = 2;
  static final int FIRST_VERSION_WITH_CONFIGURATIONS = 3;

  private ControlCodec() {}

  /** A command as bytes. */
  public static byte[] encode(Command command) {
    return bytes(out -> CommandFields.write(out, command));
  }

  /**
   * The command that {@link #encode(Command)} wrote.
   *
   * @throws IOException if the bytes are no command of this format
   */
  public static Command decodeCommand(byte[] bytes) throws IOException {
    return value(bytes, "command", CommandFields::read);
  }

  /** A state as bytes. */
  public static byte[] encode(ControlState state) {
    return bytes(out -> SnapshotFields.write(out, (AppliedState) state));
  }

  /**
   * The state that {@link #encode(ControlState)} wrote.
   *
   * @param formatVersion that was noted beside the bytes
   * @throws IOException if the bytes are no snapshot of this format
   */
  public static ControlState decodeSnapshot(byte[] bytes, int formatVersion) throws IOException {
    return value(bytes, "snapshot", in -> SnapshotFields.read(in, formatVersion));
  }

  /** A bucket's settings as bytes, a backend's secret among them. */
  public static byte[] encode(BucketSettings settings) {
    return bytes(out -> ValueFields.writeSettings(out, settings));
  }

  /**
   * The settings that {@link #encode(BucketSettings)} wrote.
   *
   * @throws IOException if the bytes are no settings of this format
   */
  public static BucketSettings decodeSettings(byte[] bytes) throws IOException {
    return value(bytes, "settings", ValueFields::readSettings);
  }

  private interface Writer {
    void writeTo(DataOutputStream out) throws IOException;
  }

  private interface Reader<T> {
    T readFrom(DataInputStream in) throws IOException;
  }

  private static byte[] bytes(Writer writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      writer.writeTo(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  private static <T> T value(byte[] bytes, String what, Reader<T> reader) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    T value;
    try {
      value = reader.readFrom(in);
    } catch (EOFException e) {
      throw new IOException("control " + what + " ends in the middle of a field", e);
    } catch (IllegalArgumentException e) {
      throw new IOException("control " + what + " holds a value that is not allowed", e);
    }
    if (in.available() > 0) {
      throw new IOException("control " + what + " has " + in.available() + " bytes too many");
    }
    return value;
  }
}
