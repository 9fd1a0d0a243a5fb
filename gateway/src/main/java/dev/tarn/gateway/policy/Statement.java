package dev.tarn.gateway.policy;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One statement of a policy.
 *
 * @param deny whether it refuses what it is about; else it allows that
 * @param principals whom it is about
 * @param actions what it is about; never empty
 * @param resources on what, as {@code bucket} or {@code bucket/key}
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

  boolean appliesTo(Question question) {
    return actions.contains(question.action())
        && principals.include(question.caller().user())
        && resources.stream().anyMatch(resource -> resource.fits(question.resource()))
        && conditions.stream().allMatch(condition -> holds(condition, question));
  }

  /** What cannot be known neither opens nor saves anything. */
  private boolean holds(Condition condition, Question question) {
    Optional<Boolean> known = condition.holds(question);
    return known.orElse(deny);
  }

  boolean namesAddresses() {
    return conditions.stream().anyMatch(Condition.SourceAddress.class::isInstance);
  }

  /** Whether it opens something to everybody everywhere. */
  boolean isPublic() {
    return !deny
        && principals.everybody()
        && conditions.stream().allMatch(Condition::holdsForEverybody);
  }
}
