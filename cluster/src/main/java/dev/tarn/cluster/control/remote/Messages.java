package dev.tarn.cluster.control.remote;

import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlCodec;
import dev.tarn.cluster.control.ControlState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What members and the control node say to each other, as bytes before they are sealed. */
final class Messages {
  private static final int FORMAT_VERSION = 1;
  private static final int APPLIED = 0;
  private static final int REJECTED = 1;
  private static final int UNAVAILABLE = 2;
  private static final int UNCONFIRMED = 3;

  private Messages() {}

  /**
   * A member that asks.
   *
   * @param audience what it is
   * @param clusterId of the state that it has; empty for none
   * @param knownVersion of that state; 0 for none
   */
  record Asking(Audience audience, String clusterId, long knownVersion) {
    static Asking of(Audience audience, ControlState known) {
      return new Asking(audience, known.clusterId().orElse(""), known.version());
    }

    private void write(DataOutputStream out) throws IOException {
      out.writeByte(audience.tag());
      out.writeUTF(clusterId);
      out.writeLong(knownVersion);
    }

    private static Asking read(DataInputStream in) throws IOException {
      return new Asking(readAudience(in), in.readUTF(), in.readLong());
    }
  }

  /**
   * A question for a state.
   *
   * @param member who asks
   * @param waitMs how long to wait for another state; 0 to answer at once
   */
  record StateRequest(Asking member, int waitMs) {
    byte[] encode() {
      return bytes(out -> {
        member.write(out);
        out.writeInt(waitMs);
      });
    }

    static StateRequest decode(byte[] bytes) throws IOException {
      return read(bytes, in -> new StateRequest(Asking.read(in), in.readInt()));
    }
  }

  /**
   * A command of a member.
   *
   * @param member who sends it
   * @param command what to do
   */
  record CommandRequest(Asking member, Command command) {
    byte[] encode() {
      return bytes(out -> {
        member.write(out);
        out.writeInt(ControlCodec.FORMAT_VERSION);
        writeBytes(out, ControlCodec.encode(command));
      });
    }

    static CommandRequest decode(byte[] bytes) throws IOException {
      return read(
          bytes,
          in -> {
            Asking member = Asking.read(in);
            int format = in.readInt();
            if (format != ControlCodec.FORMAT_VERSION) {
              throw new IOException(
                  "command has format version "
                      + format
                      + ", known is "
                      + ControlCodec.FORMAT_VERSION
                      + "; update the older node");
            }
            return new CommandRequest(member, ControlCodec.decodeCommand(readBytes(in)));
          });
    }
  }

  /**
   * A state, where the member does not have it yet.
   *
   * @param version of the control node's state
   * @param state empty where the member has this version
   */
  record StateAnswer(long version, Optional<ControlState> state) {
    void write(DataOutputStream out) throws IOException {
      out.writeLong(version);
      out.writeBoolean(state.isPresent());
      if (state.isPresent()) {
        out.writeInt(ControlCodec.FORMAT_VERSION);
        writeBytes(out, ControlCodec.encode(state.orElseThrow()));
      }
    }

    byte[] encode() {
      return bytes(this::write);
    }

    static StateAnswer read(DataInputStream in) throws IOException {
      long version = in.readLong();
      if (!in.readBoolean()) {
        return new StateAnswer(version, Optional.empty());
      }
      int format = in.readInt();
      if (format < ControlCodec.FORMAT_VERSION_OLDEST || format > ControlCodec.FORMAT_VERSION) {
        throw new IOException(
            "the state has format version "
                + format
                + ", known are "
                + ControlCodec.FORMAT_VERSION_OLDEST
                + " to "
                + ControlCodec.FORMAT_VERSION
                + "; update this node before the control node");
      }
      return new StateAnswer(
          version, Optional.of(ControlCodec.decodeSnapshot(readBytes(in), format)));
    }

    static StateAnswer decode(byte[] bytes) throws IOException {
      return Messages.read(bytes, StateAnswer::read);
    }
  }

  /**
   * What became of a command, and the state afterwards.
   *
   * @param outcome of the command
   * @param state for the member to know at once
   */
  record CommandAnswer(CommandOutcome outcome, StateAnswer state) {
    byte[] encode() {
      return bytes(out -> {
        writeOutcome(out, outcome);
        state.write(out);
      });
    }

    static CommandAnswer decode(byte[] bytes) throws IOException {
      return read(bytes, in -> new CommandAnswer(readOutcome(in), StateAnswer.read(in)));
    }
  }

  private static void writeOutcome(DataOutputStream out, CommandOutcome outcome)
      throws IOException {
    if (outcome instanceof CommandOutcome.Applied applied) {
      out.writeByte(APPLIED);
      out.writeLong(applied.version());
    } else if (outcome instanceof CommandOutcome.Rejected rejected) {
      out.writeByte(REJECTED);
      out.writeUTF(rejected.reason().name());
      writeText(out, rejected.message());
    } else if (outcome instanceof CommandOutcome.Unavailable unavailable) {
      out.writeByte(UNAVAILABLE);
      writeText(out, unavailable.message());
    } else if (outcome instanceof CommandOutcome.Unconfirmed unconfirmed) {
      out.writeByte(UNCONFIRMED);
      writeText(out, unconfirmed.message());
    }
  }

  private static CommandOutcome readOutcome(DataInputStream in) throws IOException {
    int tag = in.readUnsignedByte();
    return switch (tag) {
      case APPLIED -> new CommandOutcome.Applied(in.readLong());
      case REJECTED ->
          new CommandOutcome.Rejected(CommandOutcome.Reason.valueOf(in.readUTF()), readText(in));
      case UNAVAILABLE -> new CommandOutcome.Unavailable(readText(in));
      case UNCONFIRMED -> new CommandOutcome.Unconfirmed(readText(in));
      default -> throw new IOException("outcome has the tag " + tag + ", which is unknown here");
    };
  }

  private static Audience readAudience(DataInputStream in) throws IOException {
    int tag = in.readUnsignedByte();
    for (Audience audience : Audience.values()) {
      if (audience.tag() == tag) {
        return audience;
      }
    }
    throw new IOException("audience has the tag " + tag + ", which is unknown here");
  }

  private static void writeText(DataOutputStream out, String text) throws IOException {
    writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
  }

  private static String readText(DataInputStream in) throws IOException {
    return new String(readBytes(in), StandardCharsets.UTF_8);
  }

  private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static byte[] readBytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new EOFException();
    }
    return in.readNBytes(length);
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
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeByte(FORMAT_VERSION);
      writer.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  private static <T> T read(byte[] bytes, Reader<T> reader) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    try {
      int version = in.readUnsignedByte();
      if (version != FORMAT_VERSION) {
        throw new IOException(
            "message has format version "
                + version
                + ", known is "
                + FORMAT_VERSION
                + "; update the older node");
      }
      T value = reader.readFrom(in);
      if (in.available() > 0) {
        throw new IOException("message has " + in.available() + " bytes too many");
      }
      return value;
    } catch (EOFException e) {
      throw new IOException("message ends in the middle of a field", e);
    } catch (IllegalArgumentException e) {
      throw new IOException("message holds a value that is not allowed: " + e.getMessage(), e);
    }
  }
}
