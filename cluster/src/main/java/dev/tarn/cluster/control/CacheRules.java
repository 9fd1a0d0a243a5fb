package dev.tarn.cluster.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.object.ObjectKey;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The cache rules of a bucket. Of those that match a key, the one with the longest prefix holds.
 */
public final class CacheRules {
  /** Each read looks through them. */
  private static final int RULES_MAX = 64;

  private static final String NONE_TEXT = "none";

  /** No rules. */
  public static final CacheRules NONE = new CacheRules(List.of());

  /** The pattern of {@link #parse}, and of {@link #toString}. */
  static final String PATTERN =
      NONE_TEXT + "|" + CacheRule.PATTERN + "( " + CacheRule.PATTERN + "){0,63}";

  /** Describes the text of {@link #parse}. */
  public static final String EXPECTATION =
      "none, or rules such as 'pin:train/ bypass:tmp/ normal=15m:labels/' (prefixes URL-encoded)";

  private final List<CacheRule> rules;
  private final List<byte[]> prefixes;

  /** Rules of different prefixes, at most 64. */
  public CacheRules(List<CacheRule> rules) {
    this.rules =
        rules.stream()
            .sorted(
                Comparator.comparingInt((CacheRule rule) -> -rule.prefix().length())
                    .thenComparing(CacheRule::prefix))
            .toList();
    this.prefixes = this.rules.stream().map(rule -> rule.prefix().getBytes(UTF_8)).toList();
    if (rules.size() > RULES_MAX) {
      throw new IllegalArgumentException(
          "cache rules are " + rules.size() + ", must be at most " + RULES_MAX);
    }
    for (int i = 1; i < rules.size(); i++) {
      if (this.rules.get(i).prefix().equals(this.rules.get(i - 1).prefix())) {
        throw new IllegalArgumentException(
            "cache rules of prefix '" + this.rules.get(i).prefix() + "' are two, must be one");
      }
    }
  }

  /** The rules; longer prefixes come first. */
  public List<CacheRule> rules() {
    return rules;
  }

  /** The rule for a key. */
  public Optional<CacheRule> of(ObjectKey key) {
    for (int i = 0; i < prefixes.size(); i++) {
      if (key.startsWith(prefixes.get(i))) {
        return Optional.of(rules.get(i));
      }
    }
    return Optional.empty();
  }

  /** What is kept of the object with this key. */
  public CacheRule.Mode mode(ObjectKey key) {
    return rules.isEmpty()
        ? CacheRule.Mode.NORMAL
        : of(key).map(CacheRule::mode).orElse(CacheRule.Mode.NORMAL);
  }

  /** Whether these rules pin all keys that the former ones pinned, as far as is easily seen. */
  public boolean keepPinsOf(CacheRules former) {
    List<CacheRule> pins = former.rules.stream().filter(CacheRules::isPin).toList();
    return pins.stream().allMatch(pin -> rules.stream().anyMatch(rule -> isSamePin(rule, pin)))
        && rules.stream()
            .filter(rule -> !isPin(rule) && !former.rules.contains(rule))
            .noneMatch(rule -> pins.stream().anyMatch(pin -> isWithin(rule, pin)));
  }

  private static boolean isPin(CacheRule rule) {
    return rule.mode() == CacheRule.Mode.PIN;
  }

  private static boolean isSamePin(CacheRule rule, CacheRule pin) {
    return isPin(rule) && rule.prefix().equals(pin.prefix());
  }

  private static boolean isWithin(CacheRule rule, CacheRule pin) {
    return rule.prefix().startsWith(pin.prefix());
  }

  /** Whether some keys are pinned. */
  public boolean hasPins() {
    return rules.stream().anyMatch(CacheRules::isPin);
  }

  /** These rules, with this one instead of one of the same prefix. */
  public CacheRules with(CacheRule added) {
    List<CacheRule> changed = without(added.prefix()).rules.stream().collect(Collectors.toList());
    changed.add(added);
    return new CacheRules(changed);
  }

  /** These rules without that of a prefix. */
  public CacheRules without(String prefix) {
    return new CacheRules(rules.stream().filter(rule -> !rule.prefix().equals(prefix)).toList());
  }

  /**
   * Parses the text of {@link #toString}.
   *
   * @throws IllegalArgumentException if the text is another one
   */
  public static CacheRules parse(String text) {
    return text.equals(NONE_TEXT)
        ? NONE
        : new CacheRules(Arrays.stream(text.split(" ", -1)).map(CacheRule::parse).toList());
  }

  /** {@code none}, or the rules with a space between two. */
  @Override
  public String toString() {
    return rules.isEmpty()
        ? NONE_TEXT
        : rules.stream().map(CacheRule::toString).collect(Collectors.joining(" "));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CacheRules same && rules.equals(same.rules);
  }

  @Override
  public int hashCode() {
    return rules.hashCode();
  }
}
