package dev.tarn.gateway.policy;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * What a policy is asked.
 *
 * @param caller who asks
 * @param action what for
 * @param resource the bucket's name, or {@code bucket/key} for an action on an object
 * @param prefix of a listing, empty for all; null for what is no listing
 */
public record Question(Caller caller, Action action, String resource, @Nullable String prefix) {
  public Question {
    requireNonNull(caller, "caller is null");
    requireNonNull(action, "action is null");
    requireNonNull(resource, "resource is null");
  }
}
