package dev.tarn.transport.server;

import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.fixtures.target.BodyBytes;
import dev.tarn.fixtures.target.TestBody;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;

/** The forms in which a target may give its bytes. */
public enum BodyForm {
  BYTES {
    @Override
    public OutgoingBody of(OutgoingBody body) {
      return body;
    }
  },
  FILE_RANGE {
    @Override
    public OutgoingBody of(OutgoingBody body) {
      return fileRange(BodyBytes.read(body));
    }
  },
  FILE_RANGES {
    @Override
    public OutgoingBody of(OutgoingBody body) {
      byte[] bytes = BodyBytes.read(body);
      int middle = bytes.length / 3;
      return new OutgoingBody.FileRanges(
          List.of(
              fileRange(Arrays.copyOf(bytes, middle)),
              fileRange(new byte[0]),
              fileRange(Arrays.copyOfRange(bytes, middle, bytes.length))));
    }
  },
  STREAM {
    @Override
    public OutgoingBody of(OutgoingBody body) {
      byte[] bytes = BodyBytes.read(body);
      return new OutgoingBody.Stream(TestBody.of(bytes).bytes(), bytes.length, () -> {});
    }
  };

  /** The same bytes in this form. */
  public abstract OutgoingBody of(OutgoingBody body);

  private static OutgoingBody.FileRange fileRange(byte[] bytes) {
    try {
      Path file = Files.createTempFile("tarn-body", ".bytes");
      FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
      channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
      channel.write(ByteBuffer.wrap(bytes), 3);
      channel.write(ByteBuffer.wrap(new byte[] {4, 5}), 3L + bytes.length);
      return new OutgoingBody.FileRange(channel, 3, bytes.length, () -> close(channel));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static void close(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
