package dev.tarn.gateway.policy;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A question to a policy: whether the caller may do this.
 *
 * @param caller of the request
 * @param action the action to decide
 * @param resource the bucket's name, or {@code bucket/key} for an action on an object
 * @param prefix the parameter of a listing; null if the request has none
 */
public record Question(Caller caller, Action action, String resource, @Nullable String prefix) {
  public Question {
    requireNonNull(caller, "caller is null");
    requireNonNull(action, "action is null");
    requireNonNull(resource, "resource is null");
  }
}
