package dev.tarn.shard.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SampleNameTest {
  @ParameterizedTest
  @CsvSource({
    "dir/sub.v1/im.1.seg.PNG, dir/sub.v1/im, 1.seg.png",
    "./a.jpg, ./a, jpg",
    "dir/.h.txt, dir/, h.txt",
    "a/b., a/b, ''",
    "a..jpg, a, .jpg",
    "d/__m__/y.jpg, d/__m__/y, jpg",
    "__x__.json, __x__, json",
    "/.h, /, h",
    "x/y.b/z/.h, x/y.b/z/, h",
  })
  void nameIsSplitAtTheFirstDotOfItsBasename(String name, String key, String extension) {
    assertThat(SampleName.parse(name)).isEqualTo(new SampleName(key, extension));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {".h.txt", "noext", "a.b/c", "a.b/.h", "__info__", "__m__/a.jpg", "____", ""})
  void nameOfNoSampleHasNoParts(String name) {
    assertThat(SampleName.parse(name)).isNull();
  }

  @Test
  void splitAgreesWithTheRegularExpressionOfWebDataset() {
    Pattern pattern = Pattern.compile("^((?:.*/|)[^.]+)[.]([^/]*)$", Pattern.UNIX_LINES);
    Pattern metadata = Pattern.compile("__[^/]*__($|/)", Pattern.UNIX_LINES);
    Random random = new Random(3);
    for (int round = 0; round < 200_000; round++) {
      StringBuilder name = new StringBuilder();
      for (int i = random.nextInt(10); i >= 0; i--) {
        name.append("aB../_\n__".charAt(random.nextInt(9)));
      }
      Matcher matcher = pattern.matcher(name);
      SampleName expected =
          metadata.matcher(name).lookingAt() || !matcher.matches()
              ? null
              : new SampleName(matcher.group(1), matcher.group(2).toLowerCase(Locale.ROOT));

      assertThat(SampleName.parse(name.toString()))
          .as(name.toString().replace("\n", "\\n"))
          .isEqualTo(expected);
    }
  }
}
