package dev.tarn.shard.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ShardSpecTest {
  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      value = {
        "a.tar -> a.tar",
        "s-{000..002}.tar -> s-000.tar s-001.tar s-002.tar",
        "{8..10} -> 8 9 10",
        "{08..10} -> 08 09 10",
        "{-01..1} -> -01 000 001",
        "{2..-1} -> 2 1 0 -1",
        "{0..10..5} -> 0 5 10",
        "{10..0..-4} -> 10 6 2",
        "{0..2..0} -> 0 1 2",
        "{a..c} -> a b c",
        "{e..a..2} -> e c a",
        "{Y..b} -> Y Z a b",
        "{x,y{1,2},{3..4}} -> x y1 y2 3 4",
        "p{,.b} -> p p.b",
        "{a,b}{1..2} -> a1 a2 b1 b2",
        "{1} -> {1}",
        "{{1..2}} -> {1} {2}",
        "{a..1} -> {a..1}",
        "\\{1..2\\} -> {1..2}",
        "{a\\,b,c} -> a,b c",
        "a::b{0..1}::c -> a b0 b1 c",
      })
  void specStandsForNames(String spec, String names) {
    assertThat(ShardSpec.expand(spec)).isEqualTo(List.of(names.split(" ")));
  }

  @Test
  void specOf147ShardsIsPaddedThroughout() {
    List<String> names = ShardSpec.expand("https://h/imagenet-{000000..000146}.tar");

    assertThat(names).hasSize(147).contains("https://h/imagenet-000099.tar");
    assertThat(names.get(146)).isEqualTo("https://h/imagenet-000146.tar");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{0..3", "{a,{b}", "a}", "{a,b", "a::b{"})
  void unbalancedBraceIsRefusedByPlace(String spec) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ShardSpec.expand(spec))
        .withMessageContaining("at character");
  }

  @ParameterizedTest
  @CsvSource({
    "http://u:secret@h/a{0..1?sig=secret, http://h/a{0..1 has",
    "http://u:secret@h/a}?sig=secret, http://h/a} has",
    "http://u:secret@h/{0..9999}{0..9999}#secret, http://h/{0..9999}{0..9999} stands",
    "s3://id:secret/secret@b/a{0..1, s3://b/a{0..1 has",
    "s3://b/k?e@y#{0..1, s3://b/k?e@y#{0..1 has",
    "data/k?e@y#{0..1, data/k?e@y#{0..1 has",
  })
  void refusalHoldsNoSecretOfAUrl(String spec, String named) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ShardSpec.expand(spec))
        .withMessageStartingWith("shard spec " + named)
        .withMessageNotContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{0..99999999}", "{0..9999}{0..9999}", "{0..99999999999999999999999}"})
  void specOfTooManyShardsIsRefusedBeforeItIsExpanded(String spec) {
    assertThatIllegalArgumentException().isThrownBy(() -> ShardSpec.expand(spec));
  }
}
