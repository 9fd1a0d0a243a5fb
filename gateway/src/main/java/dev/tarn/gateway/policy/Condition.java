package dev.tarn.gateway.policy;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A condition of a statement, besides principal, action and resource. */
sealed interface Condition {
  /** Whether the condition holds; empty if that is unknown. */
  Optional<Boolean> holds(Question question);

  /** Whether the condition holds for everybody, whoever the caller is. */
  default boolean holdsForEverybody() {
    return true;
  }

  /**
   * Whether the condition concerns the request. A deny with a condition that does not concern the
   * request does not apply to it; an allow ignores such a condition.
   */
  default boolean concerns(Question question) {
    return true;
  }

  /** Whether the condition depends on an object at which nobody has looked yet. */
  default boolean awaitsObject(Question question) {
    return false;
  }

  /** Whether requests for one of these actions can meet the condition. */
  default boolean appliesTo(Set<Action> actions) {
    return true;
  }

  /** Whether the condition is one of how the caller is connected, or of what page led to it. */
  default boolean isOfConnection() {
    return false;
  }

  /** Another condition does not hold. It is unknown if the other is. */
  record Not(Condition other) implements Condition {
    public Not {
      requireNonNull(other, "other is null");
    }

    @Override
    public Optional<Boolean> holds(Question question) {
      return other.holds(question).map(holds -> !holds);
    }

    @Override
    public boolean concerns(Question question) {
      return other.concerns(question);
    }

    @Override
    public boolean awaitsObject(Question question) {
      return other.awaitsObject(question);
    }

    @Override
    public boolean namesExistingTag() {
      return other.namesExistingTag();
    }

    @Override
    public boolean isOfConnection() {
      return other.isOfConnection();
    }

    @Override
    public boolean appliesTo(Set<Action> actions) {
      return other.appliesTo(actions);
    }
  }

  /** Whether the condition compares a tag of the object that exists. */
  default boolean namesExistingTag() {
    return false;
  }

  /** The caller's address is in one of these ranges. */
  record SourceAddress(List<AddressRange> ranges) implements Condition {
    public SourceAddress {
      ranges = List.copyOf(ranges);
    }

    @Override
    public boolean isOfConnection() {
      return true;
    }

    @Override
    public boolean holdsForEverybody() {
      return ranges.stream().anyMatch(AddressRange::isWide);
    }

    @Override
    public Optional<Boolean> holds(Question question) {
      String text = question.caller().address().get();
      int scope = text.indexOf('%');
      Optional<InetAddress> address =
          AddressRange.address(scope < 0 ? text : text.substring(0, scope));
      return address.map(known -> ranges.stream().anyMatch(range -> range.contains(known)));
    }
  }

  /** Compares the value of one key. */
  sealed interface OfKey extends Condition {
    /** The key whose value is compared. */
    ConditionKey key();

    @Override
    default boolean concerns(Question question) {
      return key().concerns(question);
    }

    @Override
    default boolean awaitsObject(Question question) {
      return key().awaitsObject(question);
    }

    @Override
    default boolean isOfConnection() {
      return key().kind() == ConditionKey.Kind.SECURE_TRANSPORT
          || key().kind() == ConditionKey.Kind.REFERER;
    }

    @Override
    default boolean namesExistingTag() {
      return key().kind() == ConditionKey.Kind.EXISTING_TAG;
    }

    @Override
    default boolean appliesTo(Set<Action> actions) {
      return actions.stream().anyMatch(key()::appliesTo);
    }
  }

  /**
   * The value of a key equals one of these texts.
   *
   * @param ifExists whether the condition also holds for a request without the key
   */
  record TextIs(ConditionKey key, Set<String> texts, boolean ifExists) implements OfKey {
    public TextIs {
      requireNonNull(key, "key is null");
      texts = Set.copyOf(texts);
    }

    @Override
    public Optional<Boolean> holds(Question question) {
      String value = key.value(question);
      return known(key, question, value == null ? ifExists : texts.contains(value));
    }
  }

  /**
   * The value of a key matches one of these patterns.
   *
   * @param ifExists whether the condition also holds for a request without the key
   */
  record TextFits(ConditionKey key, List<PolicyPattern> patterns, boolean ifExists)
      implements OfKey {
    public TextFits {
      requireNonNull(key, "key is null");
      patterns = List.copyOf(patterns);
    }

    @Override
    public Optional<Boolean> holds(Question question) {
      String value = key.value(question);
      boolean holds =
          value == null ? ifExists : patterns.stream().anyMatch(pattern -> pattern.fits(value));
      return known(key, question, holds);
    }
  }

  /**
   * The request has the key, or has it not.
   *
   * @param absent whether the request must not have the key
   */
  record Exists(ConditionKey key, boolean absent) implements OfKey {
    public Exists {
      requireNonNull(key, "key is null");
    }

    @Override
    public Optional<Boolean> holds(Question question) {
      return known(key, question, (key.value(question) == null) == absent);
    }
  }

  private static Optional<Boolean> known(ConditionKey key, Question question, boolean holds) {
    return key.isKnown(question) ? Optional.of(holds) : Optional.empty();
  }
}
