package dev.tarn.sharder.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.shard.manifest.ShardPattern;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.plan.option.Dots;
import dev.tarn.sharder.plan.option.Faults;
import dev.tarn.sharder.plan.option.KeyPattern;
import dev.tarn.sharder.plan.option.OnError;
import dev.tarn.sharder.plan.option.Order;
import dev.tarn.sharder.plan.option.PlanException;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.source.SourceFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PlannerTest {
  private static final ShardPattern PATTERN = new ShardPattern("s-%03d.tar");

  private static PlanOptions.Builder usual() {
    return PlanOptions.builder().pattern(PATTERN);
  }

  private static PlanOptions.Builder shuffled(long seed) {
    return usual().order(Order.shuffled(seed));
  }

  @Test
  void membersOfASampleAreAdjacentAndSortedByExtension() throws IOException {
    Planned plan =
        Planned.by(
            usual(), ListedSource.of("a.-x", "a./b.jpg", "a.txt", "a.JPG", "b.x", "B.y", "é.z"));

    assertThat(plan.names())
        .containsExactly("B.y", "a.-x", "a.JPG", "a.txt", "a./b.jpg", "b.x", "é.z");
    ShardPlan shard = plan.plans().getFirst();
    assertThat(shard.member(1).key()).isEqualTo("a");
    assertThat(shard.member(2).extension()).asString().isEqualTo("jpg");
    assertThat(shard.sampleEnd(1)).isEqualTo(4);
    assertThat(shard.sampleLength(1)).isEqualTo(3 * 1024);
  }

  @Test
  void planDoesNotDependOnTheOrderOfTheList() throws IOException {
    List<SourceFile> files = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      files.add(SourceFile.named("d%d/%d.jpg".formatted(i % 7, i), i * 10L, i));
      files.add(SourceFile.named("d%d/%d.cls".formatted(i % 7, i), 1, i));
    }
    PlanOptions.Builder options = shuffled(7).maximumCount(50).maximumSize(100_000);
    String digest = Planned.by(options, ListedSource.of(files)).digest();
    for (int seed = 0; seed < 5; seed++) {
      Collections.shuffle(files, new Random(seed));
      assertThat(Planned.by(options, ListedSource.of(files)).digest()).isEqualTo(digest);
    }
  }

  @Test
  void planWhoseSortsSpillIsTheOneThatIsSortedInMemory() throws IOException {
    List<SourceFile> files = new ArrayList<>();
    for (int i = 0; i < 60_000; i++) {
      files.add(SourceFile.named("d%d/%d.jpg".formatted(i % 7, i), i * 10L, i));
      files.add(SourceFile.named("d%d/%d.cls".formatted(i % 7, i), 1, i));
    }
    Collections.shuffle(files, new Random(1));
    ListedSource source = ListedSource.of(files).inOrder();
    for (Order order : List.of(Order.BY_KEY, Order.BY_SOURCE, Order.shuffled(3))) {
      PlanOptions options = usual().order(order).maximumCount(1000).build();
      SortSpace little = new SortSpace(SortSpace.usual().folder(), 1);

      String spilled = Planned.by(new Planner(options, "test", little), source).digest();

      assertThat(Planned.by(new Planner(options, "test", SortSpace.usual()), source).digest())
          .isEqualTo(spilled);
    }
  }

  @Test
  void seedsChangeTheOrderAndKeepSamplesWhole() throws IOException {
    ListedSource source =
        ListedSource.of(
            IntStream.range(0, 100)
                .boxed()
                .flatMap(i -> Stream.of("%03d.a".formatted(i), "%03d.b".formatted(i)))
                .toArray(String[]::new));
    List<List<String>> orders = new ArrayList<>();
    for (long seed : new long[] {0, 1, 2, -1}) {
      Planned plan = Planned.by(shuffled(seed).maximumCount(10), source);
      assertThat(plan.shards()).hasSize(10);
      for (ShardPlan shard : plan.plans()) {
        for (int first = 0; first < shard.shard().members(); first += 2) {
          assertThat(shard.sampleEnd(first)).isEqualTo(first + 2);
        }
      }
      assertThat(plan.names()).hasSize(200).doesNotHaveDuplicates();
      orders.add(plan.names());
    }
    orders.add(Planned.by(usual(), source).names());
    assertThat(orders).doesNotHaveDuplicates();
  }

  @Test
  void shuffleIsTheOneThatTheFormatDescribes() throws IOException {
    Planned plan =
        Planned.by(
            shuffled(42),
            ListedSource.of("0.x", "1.x", "2.x", "3.x", "4.x", "5.x", "6.x", "7.x", "8.x", "9.x"));

    assertThat(String.join(" ", plan.names()).replace(".x", "")).isEqualTo("7 4 5 6 0 2 3 8 9 1");
  }

  @Test
  void samplesKeepTheirRelativeOrderWhenOthersAreAdded() throws IOException {
    String[] names = IntStream.range(0, 200).mapToObj("%d.x"::formatted).toArray(String[]::new);
    List<String> all = new ArrayList<>(Planned.by(shuffled(5), ListedSource.of(names)).names());
    String[] half = Arrays.copyOf(names, 100);
    List<String> before = Planned.by(shuffled(5), ListedSource.of(half)).names();

    all.retainAll(before);
    assertThat(all).isEqualTo(before);
  }

  @Test
  void shardsKeepToTheirBounds() throws IOException {
    Random random = new Random(9);
    List<SourceFile> files =
        IntStream.range(0, 1000)
            .mapToObj(i -> SourceFile.named(i + ".bin", random.nextInt(20_000), 0))
            .toList();

    Planned plan =
        Planned.by(usual().maximumCount(40).maximumSize(204_800), ListedSource.of(files));

    assertThat(plan.names()).hasSize(1000);
    for (ShardPlan shard : plan.plans()) {
      assertThat(shard.shard().samples()).isBetween(1, 40);
      assertThat(shard.shard().length()).isLessThanOrEqualTo(204_800).isPositive();
      assertThat(shard.shard().length() % 10_240).isZero();
      assertThat(IntStream.range(0, shard.shard().members()).mapToLong(shard::sampleLength).sum())
          .isEqualTo(shard.shard().membersLength());
      assertThat(IntStream.range(0, shard.shard().members()).mapToLong(shard::size).sum())
          .isEqualTo(shard.shard().fileBytes());
    }
    assertThat(plan.shards().getFirst().name()).isEqualTo("s-000.tar");
    assertThat(plan.shards().get(12).name()).isEqualTo("s-012.tar");
    assertThat(plan.header().samples()).isEqualTo(1000);
    assertThat(plan.header().fileBytes())
        .isEqualTo(files.stream().mapToLong(SourceFile::size).sum());
  }

  @Test
  void shardsAreNamedAlikeInAllCountries() throws IOException {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    try {
      Planned plan = Planned.by(usual(), ListedSource.of("a.jpg"));

      assertThat(plan.shards().getFirst().name()).isEqualTo("s-000.tar");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void shardEndsBeforeItsPartOfThePlanBecomesTooLongForMemory() throws IOException {
    ByteBuffer content = ByteBuffer.allocate(500_000);
    List<SourceFile> files =
        IntStream.range(100, 800)
            .mapToObj(i -> new SourceFile(i + ".txt", i + ".txt", content.limit(), 0, content))
            .toList();
    PlanOptions.Builder options = usual().maximumSize(1L << 40);

    try (Plan plan =
        new Planner(options.build(), "test", SortSpace.usual())
            .plan(List.of(ListedSource.of(files)), "destination")) {
      assertThat(plan.shards().stream().map(PlannedShard::samples)).containsExactly(536, 164);
      assertThat(plan.shard(1).member(0).name()).isEqualTo("636.txt");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a.jpg", "x/../a.jpg", "../a.jpg", "x/..", "C:/a.jpg", "x\\..\\a.jpg"})
  void nameThatLeadsOutOfWhereItIsUnpackedIsRefusedOrLeftOut(String name) throws IOException {
    String file = name.endsWith("..") ? name + "/../b.jpg" : name;
    ListedSource source = ListedSource.of(file, "in.jpg");

    assertThatThrownBy(() -> Planned.by(usual(), source))
        .isInstanceOf(PlanException.class)
        .hasMessageStartingWith("\"" + file.replace("\\", "\\\\") + "\": ")
        .hasMessageContaining("lead out");
    assertThat(Planned.by(usual().onError(OnError.SKIP).errorsMax(1), source).names())
        .containsExactly("in.jpg");
  }

  @Test
  void nameThatAnExpressionLeadsOutIsRefused() {
    assertThatThrownBy(() ->
            Planned.by(
                usual().groupBy(KeyPattern.of("x(?<key>/[a-z]+)")), ListedSource.of("x/a.jpg")))
        .isInstanceOf(PlanException.class)
        .hasMessageContaining("\"x/a.jpg\": its member \"/a.jpg\" would lead out");
  }

  @Test
  void filesAreCountedFromTheEndOfTheListing() throws IOException {
    PlanOptions options = usual().build();
    Progress planning = new Progress();
    ListedSource source = ListedSource.of("a.jpg", "a.txt", "b.jpg");

    try (Faults faults = Faults.of(options);
        Plan plan =
            new Planner(options, "test", SortSpace.usual())
                .plan(List.of(source), "destination", faults, () -> planning)) {
      assertThat(planning.files()).isEqualTo(3);
      assertThat(planning.bytes()).isEqualTo(plan.header().fileBytes());
    }
  }

  @Test
  void moreSourcesThanCanBeNumberedAreRefused() {
    List<ListedSource> sources = Collections.nCopies(32_768, ListedSource.of("a.jpg"));

    assertThatThrownBy(() ->
            new Planner(usual().order(Order.BY_SOURCE).build(), "test", SortSpace.usual())
                .plan(sources, "destination"))
        .isInstanceOf(PlanException.class)
        .hasMessage("32768 sources: at most 32767 at a time");
  }

  @Test
  void sourcesUpToTheLastKeepTheirOrder() throws IOException {
    List<ListedSource> sources =
        IntStream.range(0, 32_767)
            .mapToObj(i -> i % 1000 < 998 ? ListedSource.of() : ListedSource.of(-i + ".jpg"))
            .toList();

    Planned plan = Planned.by(usual().order(Order.BY_SOURCE), sources.toArray(ListedSource[]::new));

    assertThat(plan.names()).hasSize(64).startsWith("-998.jpg", "-999.jpg").endsWith("-31999.jpg");
  }

  @Test
  void sampleOfMoreMembersThanMemoryMayHoldIsRefusedOrLeftOut() throws IOException {
    List<SourceFile> files = new ArrayList<>();
    for (int i = 0; i <= 65_536; i++) {
      files.add(SourceFile.named("frame.%07d.jpg".formatted(i), 1, 0));
    }
    files.add(SourceFile.named("frames.jpg", 1, 0));
    for (Order order : List.of(Order.BY_KEY, Order.BY_SOURCE, Order.shuffled(1))) {
      PlanOptions.Builder options = usual().order(order).maximumSize(1L << 40);

      assertThatThrownBy(() -> Planned.by(options, ListedSource.of(files)))
          .isInstanceOf(PlanException.class)
          .hasMessage(
              "sample \"frame\" has more than 65,536 members: choose --dots replace, so that each"
                  + " file is a sample of its own, or --group-by");
      options.onError(OnError.SKIP).errorsMax(1);
      Planned plan = Planned.by(options, ListedSource.of(files));
      assertThat(plan.names()).containsExactly("frames.jpg");
      assertThat(plan.header().findings().skipped()).isEqualTo(1);
      Planned largest = Planned.by(options, ListedSource.of(files.subList(0, 65_536)));
      assertThat(largest.header().members()).isEqualTo(65_536);
    }
  }

  @Test
  void sampleWhoseListedContentsAreMoreThanMemoryMayHoldIsRefused() {
    ByteBuffer content = ByteBuffer.allocate(500_000);
    List<SourceFile> files =
        IntStream.range(0, 150)
            .mapToObj(i -> new SourceFile("a." + i, "a." + i, content.limit(), 0, content))
            .toList();

    assertThatThrownBy(() -> Planned.by(usual().order(Order.BY_SOURCE), ListedSource.of(files)))
        .isInstanceOf(PlanException.class)
        .hasMessage(
            "sample \"a\" has more than 64 MiB of names and listed contents: choose --dots replace,"
                + " so that each file is a sample of its own, or --group-by");
  }

  @Test
  void sampleLargerThanAShardMayBeIsRefused() {
    ListedSource source = ListedSource.of(List.of(SourceFile.named("big.bin", 20_480, 0)));
    assertThatThrownBy(() -> Planned.by(usual().maximumSize(20_480), source))
        .isInstanceOf(PlanException.class)
        .hasMessage(
            "sample \"big\" takes 30720 bytes as a shard of its own, but --max-size is 20480");
  }

  @Test
  void filesOutsideOfSamplesAreNamed() throws IOException {
    Planned plan =
        Planned.by(usual(), ListedSource.of("a.jpg", "README", "__meta__/x.json", "\udce9"));

    assertThat(plan.names()).containsExactly("a.jpg");
    assertThat(plan.header().findings().outside().first())
        .containsExactly("README", "__meta__/x.json", "\udce9");
    assertThat(plan.header().findings().outside().count()).isEqualTo(3);
  }

  @Test
  void hiddenFilesOfAnySourceAreLeftOutAndNamed() throws IOException {
    ListedSource source = ListedSource.of("a.jpg", "d/.x/b.jpg", "d/._a.jpg", "..a/c.jpg");

    Planned plan = Planned.by(usual(), source);
    Planned all = Planned.by(usual().hidden(true), source);

    assertThat(plan.names()).containsExactly("a.jpg");
    assertThat(plan.header().findings().hidden().first())
        .containsExactly("..a/c.jpg", "d/._a.jpg", "d/.x/b.jpg");
    assertThat(all.names()).hasSize(4);
    assertThat(all.header().findings().hidden().count()).isZero();
    assertThat(all.header().options().hidden()).isTrue();
  }

  @Test
  void membersThatReadersCouldNotTellApartAreRefused() {
    assertThatThrownBy(() -> Planned.by(usual(), ListedSource.of("a.JPG", "a.jpg")))
        .isInstanceOf(PlanException.class)
        .hasMessageContaining("\"a.JPG\" and \"a.jpg\"")
        .hasMessageContaining("lower case");
  }

  @Test
  void nothingToPackIsSaid() {
    assertThatThrownBy(() -> Planned.by(usual(), ListedSource.of()))
        .hasMessage("there are no files to pack");
    assertThatThrownBy(() -> Planned.by(usual(), ListedSource.of("README")))
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

  @Test
  void shardEndsBeforeItsIndexGetsTooLong() throws IOException {
    String folder = "a".repeat(3_000);
    List<SourceFile> files = new ArrayList<>();
    for (int sample = 0; sample < 60; sample++) {
      for (int member = 0; member < 1_000; member++) {
        files.add(SourceFile.named("%s/%d.%d".formatted(folder, sample, member), 0, 1));
      }
    }
    PlanOptions options = PlanOptions.builder().maximumSize(1L << 40).build();

    try (Plan plan =
        new Planner(options, "test", SortSpace.usual())
            .plan(List.of(ListedSource.of(files)), "set")) {
      assertThat(plan.shards()).extracting(PlannedShard::samples).containsExactly(43, 17);
      assertThat(plan.shards().getFirst().indexBytes()).isBetween(125L << 20, 128L << 20);
    }
  }
}
