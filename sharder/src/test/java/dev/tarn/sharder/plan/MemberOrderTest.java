package dev.tarn.sharder.plan;

import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.sample.SampleName;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.source.SourceFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MemberOrderTest {
  private static final String[] PIECES = {
    "a", "b", "é", "\udce9", "😀", "0123456", "01234567", "/", "-", "\uffff", "Z"
  };

  private static final Comparator<String> BY_KEY_AND_EXTENSION =
      comparing((String name) -> parse(name).key(), MemberNames::compare)
          .thenComparing(name -> parse(name).extension(), MemberNames::compare);

  private static SampleName parse(String name) {
    return requireNonNull(SampleName.parse(name), name);
  }

  private static Set<String> names(Random random) {
    Set<String> names = new HashSet<>();
    Set<SampleName> members = new HashSet<>();
    for (int i = 0; i < 3_000; i++) {
      StringBuilder name = new StringBuilder("x");
      for (int piece = random.nextInt(6); piece > 0; piece--) {
        name.append(PIECES[random.nextInt(PIECES.length)]);
      }
      name.append("y.");
      for (int piece = random.nextInt(3); piece > 0; piece--) {
        name.append(random.nextBoolean() ? "JPEG" : "É.cls");
      }
      if (members.add(parse(name.toString()))) {
        names.add(name.toString());
      }
    }
    return names;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void membersComeInTheOrderOfTheBytesOfKeyAndExtension(long seed) throws IOException {
    Random random = new Random(seed);
    List<String> names = new ArrayList<>(names(random));
    Collections.shuffle(names, random);
    List<SourceFile> files =
        names.stream().map(name -> SourceFile.named(name, name.length(), 0)).toList();

    Planned plan = Planned.by(PlanOptions.builder(), ListedSource.of(files));

    names.sort(BY_KEY_AND_EXTENSION);
    assertThat(plan.names()).containsExactlyElementsOf(names);
    assertThat(plan.members().stream().map(member -> member.file().size()))
        .containsExactlyElementsOf(names.stream().map(name -> (long) name.length()).toList());
  }
}
