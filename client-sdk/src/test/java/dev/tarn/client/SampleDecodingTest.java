package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.decode.Decoders;
import dev.tarn.client.decode.EncodedMember;
import dev.tarn.client.decode.SampleDecoder;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SampleDecodingTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://test/data");

  private final MemoryStorage storage = new MemoryStorage();

  /** How many bytes a member has. */
  private static final class Length implements SampleDecoder {
    @Override
    public Set<String> extensions() {
      return Set.of("bin");
    }

    @Override
    public Object decode(EncodedMember member) {
      return member.data().remaining();
    }
  }

  @BeforeEach
  void packDataset() throws IOException {
    Shards.dataset(storage, FOLDER, 1, 3, 100);
  }

  private DatasetBuilder builder() {
    return ShardDataset.builder().storage(storage).manifest(FOLDER.toString());
  }

  @Test
  void sampleIsDecodedByItsExtensions() throws IOException {
    try (ShardDataset dataset = builder().build();
        SampleIterator samples = dataset.iterate(0)) {
      Sample sample = samples.next();
      assertThat(sample.decode("txt", String.class)).isEqualTo("0/000000");
      assertThatThrownBy(() -> sample.decode("bin"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("sample 0/000000 of memory://test/data/shard-000000.tar")
          .hasMessageContaining("member bin has no decoder");
      assertThatThrownBy(() -> sample.decode("json"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has no member json, only [bin, txt]");
    }
  }

  @Test
  void datasetsOwnDecodersAreUsed() throws IOException {
    Decoders decoders = Decoders.builder().add(new Length()).build();
    try (ShardDataset dataset = builder().decoders(decoders).build();
        SampleIterator samples = dataset.iterate(0)) {
      Sample sample = samples.next();
      assertThat(sample.decode("bin", Integer.class)).isEqualTo(sample.bytes("bin").length);
      Sample first = dataset.get(0);
      assertThat(first.decode("bin", Integer.class)).isEqualTo(first.bytes("bin").length);
    }
  }
}
