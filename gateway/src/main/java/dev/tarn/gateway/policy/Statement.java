package dev.tarn.gateway.policy;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One statement of a policy.
 *
 * @param deny whether the statement denies; otherwise it allows
 * @param principals to which it applies
 * @param actions to which it applies; the set may be empty
 * @param resources to which it applies, as {@code bucket} or {@code bucket/key}
 * @param conditions all of which must hold
 */
record Statement(
    boolean deny,
    Principals principals,
    Set<Action> actions,
    List<PolicyPattern> resources,
    List<Condition> conditions) {
  Statement {
    requireNonNull(principals, "principals is null");
    actions = Set.copyOf(actions);
    resources = List.copyOf(resources);
    conditions = List.copyOf(conditions);
  }

  /**
   * Whether the statement applies, or may apply: conditions on an object at which nobody has looked
   * yet count as met.
   */
  boolean appliesTo(Question question) {
    return actions.contains(question.action())
        && principals.include(question.caller().user())
        && resources.stream().anyMatch(resource -> resource.fits(question.resource()))
        && conditions.stream().allMatch(condition -> holds(condition, question));
  }

  /**
   * If it is unknown whether a condition holds, the safe side counts: a deny applies, an allow does
   * not.
   */
  private boolean holds(Condition condition, Question question) {
    if (condition.awaitsObject(question)) {
      return true;
    }
    if (!condition.concerns(question)) {
      return !deny;
    }
    Optional<Boolean> known = condition.holds(question);
    return known.orElse(deny);
  }

  /** Whether a condition depends on an object at which nobody has looked yet. */
  boolean awaitsObject(Question question) {
    return conditions.stream().anyMatch(condition -> condition.awaitsObject(question));
  }

  /** Whether a condition depends on the tags of existing objects. */
  boolean namesExistingTags() {
    return conditions.stream().anyMatch(Condition::namesExistingTag);
  }

  boolean namesConnections() {
    return conditions.stream().anyMatch(Condition::isOfConnection);
  }

  /** Whether the statement allows something to everybody from everywhere. */
  boolean isPublic() {
    return !deny
        && principals.includeUnnamed()
        && conditions.stream().allMatch(Condition::holdsForEverybody);
  }
}
