package dev.tarn.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.codec.MalformedMessageException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A setting is declared once, and its encoding and its texts derive from that. */
class SettingsSchemaTest {
  record Before(@BucketSetting(tag = 1, meaning = "when it is written") Freshness freshness) {}

  /** The settings of a later release, with two more. */
  record Later(
      @BucketSetting(tag = 1, meaning = "when it is written") Freshness freshness,
      @BucketSetting(tag = 2, meaning = "which listings are answered") Listing listing,
      @BucketSetting(tag = 3, meaning = "whether it is small") boolean smallOnes) {
    enum Listing {
      WHOLE,
      ALSO_PARTIAL
    }
  }

  private static final SettingsSchema<Before> BEFORE = SettingsSchema.of(Before.class);
  private static final SettingsSchema<Later> LATER = SettingsSchema.of(Later.class);
  private static final Before BEFORE_DEFAULT = new Before(Freshness.REVALIDATE);
  private static final Later LATER_DEFAULT =
      new Later(Freshness.REVALIDATE, Later.Listing.WHOLE, false);
  private static final Codec<Before> BEFORE_CODEC =
      Codec.of("settings", BEFORE::write, in -> BEFORE.read(in, BEFORE_DEFAULT));
  private static final Codec<Later> LATER_CODEC =
      Codec.of("settings", LATER::write, in -> LATER.read(in, LATER_DEFAULT));

  @Test
  void moreSettingsHaveNamesAndTexts() {
    assertThat(LATER.entries())
        .extracting(
            SettingsSchema.Entry::name,
            SettingsSchema.Entry::field,
            SettingsSchema.Entry::choices,
            entry -> entry.textIn(LATER_DEFAULT))
        .containsExactly(
            tuple("freshness", "freshness", List.of(), "revalidate"),
            tuple("listing", "listing", List.of("whole", "also-partial"), "whole"),
            tuple("small-ones", "small_ones", List.of("true", "false"), "false"));
  }

  @Test
  void bothReleasesReadEachOthersSettings() throws MalformedMessageException {
    Later later =
        LATER.with(
            LATER_DEFAULT,
            Map.of(
                "freshness",
                Freshness.parse("15m"),
                "listing",
                Later.Listing.ALSO_PARTIAL,
                "small-ones",
                true));

    assertThat(LATER_CODEC.decode(LATER_CODEC.encode(later))).isEqualTo(later);
    assertThat(BEFORE_CODEC.decode(LATER_CODEC.encode(later)))
        .isEqualTo(new Before(Freshness.parse("15m")));
    assertThat(LATER_CODEC.decode(BEFORE_CODEC.encode(new Before(Freshness.IMMUTABLE))))
        .isEqualTo(LATER.with(LATER_DEFAULT, Map.of("freshness", Freshness.IMMUTABLE)));
  }

  @Test
  void everyTextOfAValueMatchesThePatternAndIsRead() {
    for (SettingsSchema.Entry entry : LATER.entries()) {
      for (String text :
          entry.choices().isEmpty() ? List.of("90s", "revalidate") : entry.choices()) {
        assertThat(text).matches(entry.pattern());
        assertThat(SettingsSchema.Entry.json(entry.parse(text)).toString()).isEqualTo(text);
      }
    }
  }

  @Test
  void anotherTextIsRefusedByNameAndChoices() {
    assertThatThrownBy(() -> LATER.entries().get(1).parse("some"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("listing is 'some', must be whole or also-partial");
    assertThatThrownBy(() -> LATER.entries().get(0).parse("0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "freshness is '0', must be immutable, revalidate or a time such as 15m, at most"
                + " 36500d");
  }

  @Test
  void timeToLiveThatNoClockCanCountIsRefused() {
    assertThatThrownBy(() -> Freshness.parse("999999999999d"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be at most 36500d; use immutable");
    assertThatThrownBy(() -> Freshness.parse("99999999999999ms"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be immutable, revalidate or a time");
    assertThat(Freshness.parse("36500d")).hasToString("36500d");
    Freshness longest = Freshness.ttl(Duration.ofDays(36_500).minusMillis(1));
    assertThat(Freshness.parse(longest.toString())).isEqualTo(longest);
  }
}
