package dev.tarn.sharder.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.sharder.source.SourceFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PlannerTest {
  private static final ShardPattern PATTERN = new ShardPattern("s-%03d.tar");

  private static Planner planner(int maximumCount, long maximumSize, OptionalLong seed) {
    return new Planner(PATTERN, OptionalLong.of(maximumCount), maximumSize, seed, Dots.KEEP);
  }

  private static Planner usual() {
    return planner(1000, 1 << 28, OptionalLong.empty());
  }

  private static List<SourceFile> files(String... names) {
    return Stream.of(names).map(name -> new SourceFile(name, 100)).toList();
  }

  private static List<String> names(PackPlan plan) {
    return IntStream.range(0, plan.files()).mapToObj(i -> plan.member(i).name()).toList();
  }

  @Test
  void membersOfASampleAreAdjacentAndSortedByExtension() throws IOException {
    PackPlan plan =
        usual().plan(files("a.-x", "a./b.jpg", "a.txt", "a.JPG", "b.x", "B.y", "é.z")::forEach);

    assertThat(names(plan))
        .containsExactly("B.y", "a.-x", "a.JPG", "a.txt", "a./b.jpg", "b.x", "é.z");
    assertThat(plan.member(1).key()).isEqualTo("a");
    assertThat(plan.sampleEnd(1)).isEqualTo(4);
  }

  @Test
  void planDoesNotDependOnTheOrderOfTheList() throws IOException {
    List<SourceFile> files = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      files.add(new SourceFile("d%d/%d.jpg".formatted(i % 7, i), i * 10L));
      files.add(new SourceFile("d%d/%d.cls".formatted(i % 7, i), 1));
    }
    Planner planner = planner(50, 100_000, OptionalLong.of(7));
    PackPlan plan = planner.plan(files::forEach);
    for (int seed = 0; seed < 5; seed++) {
      Collections.shuffle(files, new Random(seed));
      PackPlan other = planner.plan(files::forEach);
      assertThat(names(other)).isEqualTo(names(plan));
      assertThat(other.shards()).isEqualTo(plan.shards());
    }
  }

  @Test
  void seedsChangeTheOrderAndKeepSamplesWhole() throws IOException {
    List<SourceFile> files =
        IntStream.range(0, 100)
            .boxed()
            .flatMap(i -> files("%03d.a".formatted(i), "%03d.b".formatted(i)).stream())
            .toList();
    List<List<String>> orders = new ArrayList<>();
    for (long seed : new long[] {0, 1, 2, -1}) {
      PackPlan plan = planner(10, 1 << 20, OptionalLong.of(seed)).plan(files::forEach);
      assertThat(plan.shards()).hasSize(10);
      for (PlannedShard shard : plan.shards()) {
        for (int first = shard.from(); first < shard.to(); first += 2) {
          assertThat(plan.sampleEnd(first)).isEqualTo(first + 2);
        }
      }
      assertThat(names(plan)).hasSize(200).doesNotHaveDuplicates();
      orders.add(names(plan));
    }
    orders.add(names(usual().plan(files::forEach)));
    assertThat(orders).doesNotHaveDuplicates();
  }

  @Test
  void shuffleIsTheOneThatTheFormatDescribes() throws IOException {
    PackPlan plan =
        planner(100, 1 << 20, OptionalLong.of(42))
            .plan(
                files("0.x", "1.x", "2.x", "3.x", "4.x", "5.x", "6.x", "7.x", "8.x", "9.x")
                    ::forEach);

    assertThat(names(plan))
        .containsExactly("8.x", "3.x", "6.x", "5.x", "4.x", "0.x", "9.x", "2.x", "1.x", "7.x");
  }

  @Test
  void shardsKeepToTheirBounds() throws IOException {
    Random random = new Random(9);
    List<SourceFile> files =
        IntStream.range(0, 1000)
            .mapToObj(i -> new SourceFile(i + ".bin", random.nextInt(20_000)))
            .toList();

    PackPlan plan = planner(40, 204_800, OptionalLong.empty()).plan(files::forEach);

    assertThat(names(plan)).hasSize(1000);
    for (PlannedShard shard : plan.shards()) {
      assertThat(shard.samples()).isBetween(1, 40);
      assertThat(shard.length()).isLessThanOrEqualTo(204_800).isPositive();
      assertThat(shard.length() % 10_240).isZero();
    }
    assertThat(plan.shards().getFirst().name()).isEqualTo("s-000.tar");
    assertThat(plan.shards().get(12).name()).isEqualTo("s-012.tar");
  }

  @Test
  void sampleLargerThanAShardMayBeIsRefused() {
    assertThatThrownBy(() ->
            planner(10, 20_480, OptionalLong.empty())
                .plan(List.of(new SourceFile("big.bin", 20_480))::forEach))
        .isInstanceOf(PlanException.class)
        .hasMessage(
            "sample \"big\" takes 30720 bytes as a shard of its own, but --max-size is 20480");
  }

  @Test
  void filesOutsideOfSamplesAreNamed() throws IOException {
    PackPlan plan = usual().plan(files("a.jpg", "README", ".hidden", "__meta__/x.json")::forEach);

    assertThat(names(plan)).containsExactly("a.jpg");
    assertThat(plan.outside().first()).containsExactly(".hidden", "README", "__meta__/x.json");
    assertThat(plan.outside().count()).isEqualTo(3);
  }

  @Test
  void membersThatReadersCouldNotTellApartAreRefused() {
    assertThatThrownBy(() -> usual().plan(files("a.JPG", "a.jpg")::forEach))
        .isInstanceOf(PlanException.class)
        .hasMessageContaining("\"a.JPG\" and \"a.jpg\"")
        .hasMessageContaining("lower case");
  }

  @Test
  void nothingToPackIsSaid() {
    assertThatThrownBy(() -> usual().plan(List.<SourceFile>of()::forEach))
        .hasMessage("there are no files to pack");
    assertThatThrownBy(() -> usual().plan(files("README")::forEach))
        .hasMessageContaining("none of the 1 files belongs to a sample");
  }

  @ParameterizedTest
  @CsvSource({
    "d.v1/a.v2.jpg, d.v1/a_v2.jpg",
    "a.jpg, a.jpg",
    ".h.x.txt, .h_x.txt",
    ".hidden, .hidden",
    "x.y/noext, x.y/noext",
    "a.b.c., a_b_c.",
  })
  void dotsOfKeysAreReplacedOnRequest(String name, String replaced) throws IOException {
    assertThat(Dots.REPLACE.apply(name)).isEqualTo(replaced);
    assertThat(Dots.KEEP.apply(name)).isEqualTo(name);
  }

  @Test
  void dotsOfKeysAreRefusedOnRequest() throws IOException {
    assertThat(Dots.REFUSE.apply("d.v1/a.jpg")).isEqualTo("d.v1/a.jpg");
    assertThatThrownBy(() -> Dots.REFUSE.apply("a.v2.jpg"))
        .isInstanceOf(PlanException.class)
        .hasMessageContaining("a.v2.jpg");
  }

  @ParameterizedTest
  @ValueSource(strings = {"s.tar", "%d%d", "%s", "/s-%d", "../%d", "a//%d", "%d.idx", "%d.IDX"})
  void patternThatNamesNoShardsIsRefused(String pattern) {
    assertThatIllegalArgumentException().isThrownBy(() -> new ShardPattern(pattern));
  }
}
