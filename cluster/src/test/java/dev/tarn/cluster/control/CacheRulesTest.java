package dev.tarn.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tarn.cluster.object.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules for keys that begin with a prefix, and their text. */
class CacheRulesTest {
  private static final CacheRules RULES =
      CacheRules.parse("bypass: pin:train/ normal=15m:train/labels/");

  @Test
  void longestPrefixHolds() {
    assertThat(RULES.mode(ObjectKey.of("val/1"))).isEqualTo(CacheRule.Mode.BYPASS);
    assertThat(RULES.mode(ObjectKey.of("train/1"))).isEqualTo(CacheRule.Mode.PIN);
    assertThat(RULES.mode(ObjectKey.of("train/labels/1"))).isEqualTo(CacheRule.Mode.NORMAL);
  }

  @Test
  void keyWithoutARuleIsCachedNormally() {
    assertThat(CacheRules.parse("pin:a").mode(ObjectKey.of("b"))).isEqualTo(CacheRule.Mode.NORMAL);
    assertThat(CacheRules.NONE.mode(ObjectKey.of("b"))).isEqualTo(CacheRule.Mode.NORMAL);
  }

  @Test
  void freshnessIsThatOfTheRuleOrOfTheBucket() {
    BucketSettings settings = BucketSettings.PRIMARY.with(RULES).with(Freshness.IMMUTABLE);

    assertThat(settings.freshness(ObjectKey.of("train/labels/1")))
        .isEqualTo(Freshness.ttl(Duration.ofMinutes(15)));
    assertThat(settings.freshness(ObjectKey.of("train/1"))).isEqualTo(Freshness.IMMUTABLE);
    assertThat(settings.with(Freshness.REVALIDATE).mayServeWithoutAsking()).isTrue();
    assertThat(settings.with(Freshness.REVALIDATE).with(CacheRules.NONE).mayServeWithoutAsking())
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "train/", "a b", "100%", "key=value:x", "é世😀", "a+b&c\n"})
  void anyPrefixHasAText(String prefix) {
    CacheRule rule = new CacheRule(prefix, CacheRule.Mode.PIN, Optional.of(Freshness.IMMUTABLE));

    assertThat(CacheRules.parse(CacheRules.NONE.with(rule).toString()).rules())
        .containsExactly(rule);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "pin",
        "keep:a",
        "pin:a  pin:b",
        "pin:a b",
        "pin:%zz",
        "pin:%FF",
        "pin:%61",
        "pin=soon:a",
        "bypass=15m:a",
        "pin:a normal:a"
      })
  void otherTextIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> CacheRules.parse(text));
  }

  @Test
  void rulesAreReplacedAndRemovedByTheirPrefix() {
    CacheRule other = new CacheRule("train/", CacheRule.Mode.BYPASS, Optional.empty());

    assertThat(RULES.with(other).mode(ObjectKey.of("train/1"))).isEqualTo(CacheRule.Mode.BYPASS);
    assertThat(RULES.with(other).rules()).hasSize(3);
    assertThat(RULES.without("train/").rules()).hasSize(2);
    assertThat(RULES.without("other")).isEqualTo(RULES);
  }

  @Test
  void rulesKeepThePinsOfOthersIfTheyPinAtLeastTheSame() {
    CacheRules former = CacheRules.parse("pin:a/ bypass:a/tmp/");

    assertThat(CacheRules.parse("pin:a/ bypass:a/tmp/ bypass:b/").keepPinsOf(former)).isTrue();
    assertThat(CacheRules.parse("pin:a/").keepPinsOf(former)).isTrue();
    assertThat(CacheRules.parse("pin:a/ bypass:a/b/").keepPinsOf(former)).isFalse();
    assertThat(CacheRules.parse("pin:a/b/").keepPinsOf(former)).isFalse();
    assertThat(CacheRules.NONE.keepPinsOf(former)).isFalse();
    assertThat(CacheRules.NONE.keepPinsOf(CacheRules.NONE)).isTrue();
  }

  @Test
  void longTextIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CacheRules.parse("pin:" + "%20".repeat(100_000)))
        .withMessageContaining("must be like pin:train/");
  }

  @Test
  void tooManyRulesAreRefused() {
    List<CacheRule> many =
        IntStream.range(0, 65)
            .mapToObj(i -> new CacheRule("p" + i, CacheRule.Mode.PIN, Optional.empty()))
            .toList();

    assertThatIllegalArgumentException().isThrownBy(() -> new CacheRules(many));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CacheRule("x".repeat(1025), CacheRule.Mode.PIN, Optional.empty()))
        .withMessageContaining("1025 bytes");
  }
}
