package dev.tarn.sharder.plan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.manifest.ShardPattern;
import dev.tarn.sharder.plan.option.Dots;
import dev.tarn.sharder.plan.option.KeyPattern;
import dev.tarn.sharder.plan.option.OnError;
import dev.tarn.sharder.plan.option.Order;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.plan.option.Requirement;
import dev.tarn.sharder.plan.option.Route;
import dev.tarn.sharder.plan.option.ShardCompression;
import dev.tarn.sharder.plan.option.Split;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.source.SourceFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PlanFileTest {
  private static final StorageUrl URL = StorageUrl.parse("memory://store/plans/1");

  private static final int FOOTER_LENGTH = 60;

  private static final PlanOptions OPTIONS =
      PlanOptions.builder()
          .groupBy(KeyPattern.of("(?<key>.*)[.](?<ext>.*)"))
          .requirement(new Requirement(List.of("jpg", "cls"), Requirement.Missing.WARN))
          .splits(Split.parse("train=1"))
          .routes(Route.parse("routes", "*.9 to nine-%d.tar\nz* - # none"))
          .compression(new ShardCompression(Optional.of(Compression.ZSTD), OptionalInt.of(3)))
          .onError(OnError.SKIP)
          .errorsMax(9)
          .pattern(new ShardPattern("x/%d.tar"))
          .maximumCount(40)
          .maximumSize(1 << 20)
          .order(Order.shuffled(-3))
          .dots(Dots.REPLACE)
          .time(7)
          .build();

  private static List<SourceFile> files() {
    List<SourceFile> files = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      files.add(SourceFile.named("d.v/é.%d.JPG".formatted(i), i, i - 50));
      files.add(new SourceFile("d.v/é.%d.txt".formatted(i), "at:" + i, i * 1000L, i, null));
      files.add(ListedSource.with("d.v/é.%d.cls".formatted(i), "class " + i));
    }
    files.add(SourceFile.named("n".repeat(300) + ".BÉ", 1L << 40, Long.MIN_VALUE));
    files.add(SourceFile.named("outside\udce9", 1, 1));
    return files;
  }

  private static Planner planner(PlanOptions options) {
    return new Planner(options, "encoder-1", SortSpace.usual());
  }

  private static PlanOptions roomy() {
    return PlanOptions.builder().maximumSize(1L << 50).order(Order.shuffled(1)).build();
  }

  private static Plan stored(MemoryStorage storage, Planner planner, List<SourceFile> files)
      throws IOException {
    try (Plan plan = planner.plan(List.of(ListedSource.of(files)), "s3://bucket/set")) {
      plan.store(storage, URL);
    }
    return Plan.open(storage, URL);
  }

  @Test
  void planReadsBackAsItWasMade() throws IOException {
    List<SourceFile> files = new ArrayList<>(files());
    files.removeIf(file -> file.size() > 1 << 20);
    try (MemoryStorage storage = new MemoryStorage();
        Plan plan = stored(storage, planner(OPTIONS), files)) {
      assertThat(plan.header().options()).isEqualTo(OPTIONS);
      assertThat(plan.header().encoder()).isEqualTo("encoder-1");
      assertThat(plan.header().destination()).isEqualTo("s3://bucket/set");
      assertThat(plan.header().sources()).containsExactly("listed");
      assertThat(plan.header().findings().outside().first()).containsExactly("outside\udce9");
      assertThat(plan.shards()).hasSize(6);
      assertThat(plan.shards().getLast().name()).isEqualTo("train/x/5.tar.zst");

      Planned planned = Planned.of(plan);
      assertThat(planned.members().stream().map(PlannedMember::file))
          .containsExactlyInAnyOrderElementsOf(files.subList(0, 300));
      assertThat(planned.names()).contains("d.v/é_7.JPG", "d.v/é_7.cls");
      byte[] bytes = storage.readAll(URL, 1 << 20);
      assertThat(Sha256.digest(ByteBuffer.wrap(bytes, 0, bytes.length - 44)))
          .isEqualTo(plan.digest());
    }
  }

  @Test
  void longNamesLargeFilesAndOddExtensionsSurvive() throws IOException {
    Planned plan = Planned.by(planner(roomy()), ListedSource.of(files()));

    PlannedMember large =
        plan.members().stream()
            .filter(member -> member.file().size() == 1L << 40)
            .findAny()
            .orElseThrow();
    assertThat(large.name()).isEqualTo("n".repeat(300) + ".BÉ");
    assertThat(large.extension()).asString(UTF_8).isEqualTo("bé");
    assertThat(plan.shards().stream().mapToLong(PlannedShard::nameBytes).sum())
        .isEqualTo(plan.members().stream().mapToLong(member -> member.nameBytes().length).sum());
  }

  @Test
  void anyByteThatChangesIsFound() throws IOException {
    try (MemoryStorage storage = new MemoryStorage()) {
      Planned right;
      try (Plan plan = stored(storage, planner(roomy()), files())) {
        right = Planned.of(plan);
      }
      byte[] bytes = storage.readAll(URL, 1 << 20);
      Random random = new Random(5);
      for (int round = 0; round < 300; round++) {
        byte[] wrong = bytes.clone();
        int place = round < FOOTER_LENGTH ? wrong.length - 1 - round : random.nextInt(wrong.length);
        wrong[place] ^= (byte) (1 << random.nextInt(8));
        storage.write(URL, ByteBuffer.wrap(wrong));
        assertThatThrownBy(() -> read(storage))
            .as("another byte %d of %d", place, wrong.length)
            .isInstanceOf(IOException.class);
      }
      storage.write(URL, ByteBuffer.wrap(bytes));
      assertThat(read(storage).digest()).isEqualTo(right.digest());
    }
  }

  private static Planned read(MemoryStorage storage) throws IOException {
    try (Plan plan = Plan.open(storage, URL)) {
      return Planned.of(plan);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5, 12, 50, 2_000})
  void planThatIsCutShortIsRefused(int length) throws IOException {
    try (MemoryStorage storage = new MemoryStorage()) {
      stored(storage, planner(roomy()), files()).close();
      byte[] bytes = storage.readAll(URL, 1 << 20);
      storage.write(URL, ByteBuffer.wrap(bytes, 0, length));

      assertThatThrownBy(() -> read(storage))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("memory://store/plans/1")
          .hasMessageContaining("plan");
    }
  }
}
