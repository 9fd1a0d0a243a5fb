package dev.tarn.shard.sample;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.tar.TarReader;
import dev.tarn.shard.tar.TarWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SampleReaderTest {
  private static byte[] shard(String... names) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var writer = new TarWriter(Channels.newChannel(bytes))) {
      for (String name : names) {
        byte[] data = name.getBytes(UTF_8);
        writer.begin(name, data.length);
        writer.write(ByteBuffer.wrap(data));
      }
      writer.finish();
    }
    return bytes.toByteArray();
  }

  private static List<String> read(SampleReader reader) throws IOException {
    List<String> samples = new ArrayList<>();
    for (Sample sample; (sample = reader.next()) != null; ) {
      samples.add(sample.key() + sample.members().keySet());
      for (String extension : sample.members().keySet()) {
        assertThat(new String(sample.bytes(extension), UTF_8)).startsWith(sample.key() + ".");
      }
    }
    assertThat(reader.next()).isNull();
    return samples;
  }

  private static SampleReader reader(byte[] shard) {
    return new SampleReader("u", TarReader.of("u", new ByteArrayInputStream(shard)));
  }

  @Test
  void samplesAreRunsOfAKey() throws IOException {
    byte[] shard = shard("a.x", "noext", "a.y", "__m__/z.x", "b.x", "a.x");

    assertThat(read(reader(shard))).containsExactly("a[x, y]", "b[x]", "a[x]");
  }

  @Test
  void shardWithoutSamplesHasNone() throws IOException {
    assertThat(read(reader(shard()))).isEmpty();
    assertThat(read(reader(shard("noext")))).isEmpty();
  }

  @Test
  void lastSampleOfAShardCutShortIsNotDelivered() throws IOException {
    byte[] shard = shard("a.x", "b.x");
    byte[] part = Arrays.copyOf(shard, 2048);
    SampleReader reader = reader(part);

    Sample first = reader.next();

    assertThat(first).isNotNull();
    assertThatThrownBy(reader::next)
        .isInstanceOf(ShardFormatException.class)
        .hasMessageContaining("u at byte 2048: the archive is cut short");
  }

  @Test
  void sampleBeyondTheBoundIsRefusedBeforeItIsRead() throws IOException {
    byte[] shard = shard("a.x", "a.yyyyyyyyyy");
    var reader = new SampleReader("u", TarReader.of("u", ByteBuffer.wrap(shard)), 10);

    assertThatThrownBy(reader::next)
        .hasMessageContaining("sample \"a\" has at least 15 bytes")
        .hasMessageContaining("at most 10");
  }

  @Test
  void askingForAMissingMemberNamesThoseThatAreThere() throws IOException {
    Sample sample = reader(shard("a.x", "a.y")).next();

    assertThat(sample).isNotNull();
    assertThat(sample.size()).isEqualTo(6);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sample.bytes("z"))
        .withMessage("sample a has no z, only [x, y]");
  }

  @Test
  void sampleOfMoreMembersThanGoIsRefused() throws IOException {
    String[] names = new String[SampleGrouping.MEMBERS_MAX + 1];
    Arrays.setAll(names, i -> "a.x" + i);

    assertThat(read(reader(shard(Arrays.copyOf(names, names.length - 1))))).hasSize(1);
    assertThatThrownBy(() -> read(reader(shard(names))))
        .isInstanceOf(ShardFormatException.class)
        .hasMessageContaining("is of a sample with more than 65536 members");
  }

  @Test
  void extensionOfAnyMemberOfItsSampleIsRefusedTwice() throws IOException {
    for (int members = 1; members < 24; members++) {
      for (int twice = 0; twice < members; twice++) {
        String[] names = new String[members + 1];
        Arrays.setAll(names, i -> "b.x" + i);
        names[members] = "b.X" + twice;
        byte[] shard = shard(concat(shardNames("a", members), names));

        assertThatThrownBy(() -> read(reader(shard)))
            .isInstanceOf(ShardFormatException.class)
            .hasMessageContaining("is the second of its sample with the extension \"x" + twice);
      }
    }
  }

  @Test
  void samplesOfOtherExtensionsThanTheOnesBeforeHaveTheirOwn() throws IOException {
    assertThat(read(reader(shard("a.x", "a.y", "b.y", "b.X", "b.yy", "c.", "ab.x"))))
        .containsExactly("a[x, y]", "b[y, x, yy]", "c[]", "ab[x]");
  }

  private static String[] shardNames(String key, int members) {
    String[] names = new String[members];
    Arrays.setAll(names, i -> key + ".x" + i);
    return names;
  }

  private static String[] concat(String[] first, String[] second) {
    String[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }
}
