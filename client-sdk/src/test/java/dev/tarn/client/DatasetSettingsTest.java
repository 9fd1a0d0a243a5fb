package dev.tarn.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.loader.LastBatch;
import dev.tarn.client.loader.MapOrder;
import dev.tarn.client.metrics.ProgressBar;
import dev.tarn.client.storage.AccessKeys;
import dev.tarn.client.storage.FaultyServer;
import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.write.ShardWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings that cannot be: refused before anything is read, saying what would be right. */
final class DatasetSettingsTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://data/set");
  private static final StorageUrl OTHER = StorageUrl.parse("memory://data/other");

  private final MemoryStorage memory = new MemoryStorage();

  /** Nothing of it may be read. */
  private final class Unread extends ForwardingStorage {
    Unread() {
      super(memory);
    }

    @Override
    public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag) {
      throw new AssertionError(url + " is read");
    }
  }

  @BeforeEach
  void pack() throws IOException {
    Shards.dataset(memory, FOLDER, 2, 20, 100);
    Shards.dataset(memory, OTHER, 100, new int[] {10}, 100);
  }

  private DatasetBuilder builder() {
    return ShardDataset.builder().storage(memory).manifest(FOLDER.toString()).rank(0, 1);
  }

  private void assertRefused(UnaryOperator<DatasetBuilder> setting, String message) {
    ThrowingCallable build =
        () ->
            setting
                .apply(ShardDataset.builder().storage(new Unread()).rank(0, 1))
                .manifest(FOLDER.toString())
                .build()
                .close();
    assertThatThrownBy(build).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }

  @Test
  void numbersThatCannotBeAreRefusedBeforeAnythingIsRead() {
    assertRefused(
        builder -> builder.memoryBudget(-1),
        "a memory budget of -1 bytes, expected at least 262144");
    assertRefused(
        builder -> builder.memoryBudget(Long.MIN_VALUE),
        "a memory budget of -9223372036854775808 bytes, expected at least 262144");
    assertRefused(builder -> builder.connections(0), "connections is 0, expected 1 to 1024");
    assertRefused(
        builder -> builder.connections(Integer.MAX_VALUE),
        "connections is 2147483647, expected 1 to 1024");
    assertRefused(builder -> builder.limit(-1), "a limit of -1 samples, expected 0 or more");
    assertRefused(
        builder -> builder.rank(2, 2),
        "rank 2 of 2: ranks are numbered from 0, and there is at least one");
    assertRefused(
        builder -> builder.errors(ErrorPolicy.skip(-3)),
        "at most -3 samples to skip, expected 0 or more");
    assertRefused(
        builder -> builder.shuffle(Shuffle.blocks(0)), "blocks of 0 bytes, expected at least 1");
  }

  @Test
  void shardOfMoreSamplesThanThereCanBeIsRefused() throws IOException {
    StorageUrl manifest = FOLDER.child("dataset.json");
    String json = new String(memory.readAll(manifest, 1 << 20), UTF_8);
    // Two shards of 20 samples, each of two members; and what they are together.
    memory.write(
        manifest,
        UTF_8.encode(
            json.replace("\"samples\" : 20", "\"samples\" : 2147483648")
                .replace("\"samples\" : 40", "\"samples\" : 4294967296")
                .replace("\"members\" : 40", "\"members\" : 4294967296")
                .replace("\"members\" : 80", "\"members\" : 8589934592")));
    assertThatThrownBy(() -> builder().build())
        .isInstanceOf(IOException.class)
        .hasMessageContaining(
            "shard shard-000000.tar has 2147483648 samples, expected 2147483647 at most");
  }

  @Test
  void storageAndOptionsOfAnotherAreRefused() {
    assertRefused(
        builder -> builder.storageOptions(StorageOptions.defaults()),
        "both a storage and storage options are set; set only one of them");
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {0, -0.0, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void weightThatIsNoPositiveNumberIsRefused(double weight) {
    String message = "weight " + weight + " of s3://b/set is not a positive number";
    assertThatThrownBy(() -> ShardDataset.builder().manifest("s3://b/set", weight))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> ShardDataset.builder().shards("s3://b/set", weight))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void messagesHoldNoSecretsOfWebAddresses() throws IOException {
    String query = "?X-Amz-Signature=secret";
    assertThatThrownBy(() -> ShardDataset.builder().manifest("http://u:secret@h/d" + query, -1))
        .hasMessage("weight -1.0 of http://h/d is not a positive number");
    try (FaultyServer server = new FaultyServer()) {
      server.put("/d/dataset.json", "no manifest".getBytes(UTF_8));
      String manifest = server.url("/d/dataset.json");
      assertThatThrownBy(() -> ShardDataset.builder().manifest(manifest + query).build())
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(manifest)
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  void weightsThatLeaveADatasetNoSampleAreRefused() {
    assertThatThrownBy(() -> mix(1, 1e-9).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "dataset 2 of 2 with the weight 1.0E-9 gets none of the 50 samples of an epoch; set a"
                + " larger weight");
    assertThatThrownBy(() -> mix(Double.MAX_VALUE, Double.MAX_VALUE).build())
        .hasMessageContaining("the sum of the weights is too large");
  }

  @Test
  void nothingIsLeftOpenOfADatasetThatIsRefusedLate(@TempDir Path cache) throws IOException {
    assertThatThrownBy(() -> mix(1, 1e-9).cache(cache, 1 << 20).build())
        .isInstanceOf(IllegalArgumentException.class);
    try (Stream<Path> needs = Files.list(cache.resolve("needed"))) {
      assertThat(needs).isEmpty();
    }
  }

  private DatasetBuilder mix(double weight, double other) {
    return ShardDataset.builder()
        .storage(memory)
        .rank(0, 1)
        .manifest(FOLDER.toString(), weight)
        .manifest(OTHER.toString(), other);
  }

  @Test
  void weightsOfAnySizeCountByTheirProportions() throws IOException {
    try (ShardDataset tiny = mix(4 * Double.MIN_VALUE, Double.MIN_VALUE).build();
        ShardDataset huge = mix(4e300, 1e300).build()) {
      assertThat(Shards.keys(tiny, 3)).hasSize(50).isEqualTo(Shards.keys(huge, 3));
    }
  }

  @Test
  void epochsThatCannotBeAreRefused() throws IOException {
    try (ShardDataset dataset = builder().build();
        ShardDataset mix = mix(1, 1).build()) {
      assertThatThrownBy(() -> dataset.iterate(-1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("epoch -1, expected 0 to 9223372036854775807");
      assertThatThrownBy(() -> dataset.setEpoch(Long.MIN_VALUE))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> mix.loader().iterate(Long.MAX_VALUE / 50))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected 0 to");
      assertThat(Shards.keys(mix, Long.MAX_VALUE / 50 - 1)).hasSize(50);
      assertThat(Shards.keys(dataset, Long.MAX_VALUE)).hasSize(40);
      try (SampleIterator samples = dataset.iterate(3)) {
        Checkpoint checkpoint =
            Checkpoint.parse(samples.checkpoint().toJson().replace("\"epoch\":3", "\"epoch\":-3"));
        assertThatThrownBy(() -> dataset.resume(checkpoint))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("epoch -3");
      }
    }
  }

  // As of callers whose builds do not check for nulls.
  @SuppressWarnings("NullAway")
  @Test
  void argumentThatIsNullIsNamed() throws IOException {
    try (ShardDataset dataset = builder().build()) {
      assertNull(() -> dataset.resume(null), "checkpoint");
      assertNull(() -> dataset.loader().resume(null), "checkpoint");
      assertNull(() -> dataset.get(null), "key");
    }
    assertNull(() -> Checkpoint.parse(null), "json");
    assertNull(() -> ShardWriter.builder(null), "url");
    assertNull(() -> AccessKeys.of(null, "secret"), "accessKey");
    assertNull(() -> AccessKeys.of("key", null), "secretKey");
    assertNull(() -> new ProgressBar(null), "out");
  }

  private static void assertNull(ThrowingCallable call, String name) {
    assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(name + " is null");
  }

  @Test
  void limitBeyondAllNumbersIsNone() throws IOException {
    try (ShardDataset dataset = builder().limit(Long.MAX_VALUE).build();
        ShardDataset none = builder().limit(0).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(40);
      assertThat(Shards.keys(none, 0)).isEmpty();
    }
  }

  @Test
  void batchesMayBeLargerThanTheEpoch() throws IOException {
    try (ShardDataset dataset = builder().build()) {
      Loader<Integer> kept = dataset.loader().batch(Integer.MAX_VALUE, LastBatch.KEEP, List::size);
      assertThat(kept.count()).hasValue(1);
      assertThat(kept.stream()).containsExactly(40);
      Loader<Integer> dropped =
          dataset.loader().batch(Integer.MAX_VALUE, LastBatch.DROP, List::size);
      assertThat(dropped.count()).hasValue(0);
      try (Warnings warnings = new Warnings()) {
        assertThat(dropped.stream()).isEmpty();
        assertThat(warnings.messages())
            .containsExactly(
                "the 40 samples of a rank's epoch are too few for a batch, and are left out: set"
                    + " smaller batches, or LastBatch.KEEP");
      }
    }
  }

  @Test
  void moreThreadsThanAMachineHasAreRefused() throws IOException {
    try (ShardDataset dataset = builder().build()) {
      assertThatThrownBy(() -> dataset.loader().map(1 << 30, MapOrder.ORDERED, Sample::key))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("1073741824 threads, expected 1 to 4096");
    }
  }

  @Test
  void budgetBeyondTheHeapIsWarnedOf() throws IOException {
    try (Warnings warnings = new Warnings();
        ShardDataset dataset = builder().memoryBudget(1L << 50).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(40);
      assertThat(warnings.messages())
          .singleElement()
          .asString()
          .startsWith("the memory budget of 1125899906842624 bytes exceeds the heap limit of ")
          .endsWith(" bytes; set a smaller budget, or a larger -Xmx");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x | 4 | the variable RANK is \"x\", expected a whole number of 0 or more",
        "'' | 4 | the variable RANK is \"\", expected a whole number of 0 or more",
        "-1 | 4 | the variable RANK is \"-1\", expected a whole number of 0 or more",
        "1.5 | 4 | the variable RANK is \"1.5\", expected a whole number of 0 or more",
        "1 | 0 | the variable WORLD_SIZE is \"0\", expected a whole number of 1 or more",
        "1 | 99999999999 | the variable WORLD_SIZE is \"99999999999\", expected a whole number",
        "4 | 4 | the variable RANK is 4 and WORLD_SIZE is 4: ranks are numbered from 0",
        "1 | | of the variables RANK and WORLD_SIZE only RANK is set",
        " | 2 | of the variables RANK and WORLD_SIZE only WORLD_SIZE is set",
      })
  void variablesThatAreNoRankAreNamed(
      @Nullable String rank, @Nullable String ranks, String message) {
    Map<String, String> variables = new HashMap<>();
    if (rank != null) {
      variables.put("RANK", rank);
    }
    if (ranks != null) {
      variables.put("WORLD_SIZE", ranks);
    }
    assertThatThrownBy(() -> Ranks.of(variables, Uneven.DROP))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }
}
