package dev.tarn.shard.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

final class GzipStreamTest {
  private static final byte[] DATA = data();

  private static byte[] data() {
    byte[] data = new byte[100_000];
    new Random(1).nextBytes(data);
    Arrays.fill(data, 10_000, 60_000, (byte) 'x');
    return data;
  }

  private static byte[] gzip(byte[] data, int from, int to) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(data, from, to - from);
    }
    return bytes.toByteArray();
  }

  private static byte[] threeMembers() throws IOException {
    var bytes = new ByteArrayOutputStream();
    bytes.write(gzip(DATA, 0, 30_000));
    bytes.write(gzip(DATA, 30_000, 30_000));
    bytes.write(gzip(DATA, 30_000, DATA.length));
    return bytes.toByteArray();
  }

  private static byte[] read(InputStream compressed) throws IOException {
    try (InputStream stream = new GzipStream(compressed)) {
      return stream.readAllBytes();
    }
  }

  /** Delivers a byte at a time and never says that more is available, as a slow network. */
  private static final class SlowStream extends ByteArrayInputStream {
    SlowStream(byte[] bytes) {
      super(bytes);
    }

    @Override
    public synchronized int read(byte[] target, int offset, int length) {
      return super.read(target, offset, Math.min(1, length));
    }

    @Override
    public synchronized int available() {
      return 0;
    }
  }

  @Test
  void membersAreOneStreamHoweverTheyArrive() throws IOException {
    assertThat(read(new ByteArrayInputStream(threeMembers()))).isEqualTo(DATA);
    assertThat(read(new SlowStream(threeMembers()))).isEqualTo(DATA);
  }

  @Test
  void zerosBehindTheLastMemberArePadding() throws IOException {
    byte[] members = threeMembers();

    assertThat(read(new ByteArrayInputStream(Arrays.copyOf(members, members.length + 700))))
        .isEqualTo(DATA);
  }

  @Test
  void streamCutAnywhereIsRefused() throws IOException {
    byte[] one = gzip(DATA, 0, 1000);
    for (int length = 1; length < one.length; length++) {
      byte[] part = Arrays.copyOf(one, length);
      assertThatThrownBy(() -> read(new ByteArrayInputStream(part)))
          .as("%d bytes", length)
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void corruptDataAndGarbageBehindItAreRefused() throws IOException {
    byte[] members = threeMembers();
    byte[] corrupt = members.clone();
    corrupt[20_000] ^= 1;
    byte[] followed = Arrays.copyOf(members, members.length + 1);
    followed[members.length] = 'x';

    assertThatThrownBy(() -> read(new ByteArrayInputStream(corrupt)))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> read(new ByteArrayInputStream(followed)))
        .hasMessage("the bytes after the gzip data are neither gzip nor padding");
  }

  @Test
  void optionalFieldsOfTheHeaderArePassedOver() throws IOException {
    byte[] plain = gzip(DATA, 0, 1000);
    var bytes = new ByteArrayOutputStream();
    bytes.write(plain, 0, 3);
    bytes.write(2 | 4 | 8 | 16);
    bytes.write(plain, 4, 6);
    bytes.write(new byte[] {3, 0, 1, 2, 3});
    bytes.write(new byte[] {'n', 0, 'c', 'c', 0, 9, 9});
    bytes.write(plain, 10, plain.length - 10);

    assertThat(read(new ByteArrayInputStream(bytes.toByteArray())))
        .isEqualTo(Arrays.copyOf(DATA, 1000));
  }
}
